set(PICO_BOARD "pico2")
set(MICROPY_FROZEN_MANIFEST ${MICROPY_BOARD_DIR}/manifest.py)
# The day of a build is no part of an image
add_compile_definitions(PICO_NO_BI_PROGRAM_BUILD_DATE=1)
