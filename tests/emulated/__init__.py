"""The built image in an RP2040 emulator, with the project's own wheel, buttons, LEDs and displays on its pins."""

from tests.emulated import native

native.use()
