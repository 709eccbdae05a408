"""Modules that a table holds only while it needs them; on a chip their code is in flash, and little is won or lost."""

import gc
import sys

import tabletop
from tabletop import table


def give_back(*names: str) -> None:
    """Lets go of modules, code and all: `tabletop.NAME` with all in it, or `tabletop.table.NAME`; nothing uses them."""
    if not hasattr(gc, "mem_free"):  # CPython has no need of it
        return
    for name in names:
        for package, path in ((tabletop, "tabletop." + name), (table, "tabletop.table." + name)):
            # Only the names that go: a list of all modules is a kilobyte, at the very moment when memory is short.
            for loaded in [loaded for loaded in sys.modules if (loaded + ".").startswith(path + ".")]:
                sys.modules.pop(loaded).__dict__.clear()  # a stray pointer on the stack then holds on to little
            if hasattr(package, name):
                delattr(package, name)
    gc.collect()
