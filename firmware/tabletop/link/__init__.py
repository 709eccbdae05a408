"""The framed link: bytes of a port in, bytes of a port out, and commands handed to the table exactly once.

`frames` turns bytes into checked frames and back, `schema` is the one table of messages, `endpoint` is the table's
side of one port. Nothing here opens a port, reads a clock, or ever raises because of what arrives.
"""
