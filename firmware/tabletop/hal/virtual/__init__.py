"""A whole table in one process: one wheel model moves encoder, index and clapper; sockets are link and hand.

In come what people and physics do (`hand`); out go what a board would put on its port (`ports`) and its
lamps (`panel`). Nothing here may know what the table makes of it.
"""
