# What the image of this board freezes. Works in build_image.py and in a plain upstream build alike;
# manifests run inside their own folder.
import sys

sys.path.insert(0, "..")
import stage

freeze("$(PORT_DIR)/modules", "rp2.py")  # not the stock _boot.py: it formats
include("$(MPY_DIR)/extmod/asyncio")
freeze(*stage.frozen_tree("WHEEL_PICO"))
try:
    require("usb-device-cdc")  # a USB port for the link alone: with a checkout's lib/micropython-lib; Debian's has none
except Exception:
    pass
