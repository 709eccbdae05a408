"""Mounts the file system when there is one. It formats nothing, ever: a journal, a configuration and a serial number
must outlive any damage, and the table plays without a file system.

No file stands in for a module of the program by its name alone; a developer's modules do it by their manifest.
"""

import os
import sys

import rp2
import vfs
from wheel_build import REGIONS

sys.path[:] = (".frozen", "/lib")
try:
    # rp2.Flash counts from the start of the storage area, which begins with the file system
    vfs.mount(vfs.VfsLfs2(rp2.Flash(start=0, len=REGIONS["files"][1]), progsize=256), "/")
    os.stat("/program/manifest")
    from tabletop.hal.rp2 import overlay

    overlay.start()
    del overlay
except OSError:
    pass

del os, rp2, sys, vfs, REGIONS
