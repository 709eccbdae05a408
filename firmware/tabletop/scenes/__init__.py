"""What the lamps show: the state of the table in, LED frames and digit texts out.

A scene is a function of a View and a time in ms. It decides nothing, remembers nothing, and draws into buffers that
it is given; whatever a lamp shows is in the journal already.
"""
