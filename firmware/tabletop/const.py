"""`const` for CPython. MicroPython's compiler knows the word: it writes the number itself wherever the name stands.

Of a name with an underscore it keeps nothing at all, and no name means no memory. What a virtual table runs is
compiled without the import, too (`wheelwright.compiling.compiled`).
"""


def const(value: int) -> int:
    return value
