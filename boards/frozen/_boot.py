"""Mounts the file system when there is one. It formats nothing, ever: a journal, a configuration and a serial number
must outlive any damage, and the table plays without a file system."""

import rp2
import vfs
from wheel_build import REGIONS

try:
    # rp2.Flash counts from the start of the storage area, which begins with the file system
    vfs.mount(vfs.VfsLfs2(rp2.Flash(start=0, len=REGIONS["files"][1]), progsize=256), "/")
except OSError:
    pass

del rp2, vfs, REGIONS
