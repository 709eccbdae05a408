set(PICO_BOARD "pico")
set(MICROPY_FROZEN_MANIFEST ${MICROPY_BOARD_DIR}/manifest.py)
set(PICO_PLATFORM "rp2040")
# The day of a build is no part of an image
add_compile_definitions(PICO_NO_BI_PROGRAM_BUILD_DATE=1)
