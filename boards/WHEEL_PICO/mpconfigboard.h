// WHEEL_PICO: a table controller. The numbers are those of table.json; tests/unit/test_boards.py holds them together.
#define MICROPY_HW_BOARD_NAME                   "WHEEL_PICO"

// files + secret + identity + journal; rp2.Flash reaches exactly this, and no image does
#define MICROPY_HW_FLASH_STORAGE_BASE           (655360)
#define MICROPY_HW_FLASH_STORAGE_BYTES          (1437696)

// A port opened at 1200 baud must not stop a table in mid-spin.
#define MICROPY_HW_USB_CDC_1200BPS_TOUCH        (0)
#define MICROPY_HW_USB_CDC_DTR_RTS_BOOTLOADER   (0)

// A whole frame of the link waits here while Python is busy.
#define MICROPY_HW_STDIN_BUFFER_LEN             (1024)

#define MICROPY_HW_USB_MANUFACTURER_STRING      "Wheelwright"
#define MICROPY_HW_USB_PRODUCT_FS_STRING        "WHEEL_PICO"

// The port's C stack is too short for the deepest commands (a step of a bonus game takes 11 KB): more of it lies where
// its heap would end. Between both are bytes that no start clears, for tabletop.hal.rp2.reset. The stack reaches over
// both scratch banks, in which nothing else may lie: boards/build_image.py looks at each image (check_stack).
#define WHEEL_STACK                             (16384)
#define WHEEL_KEPT                              (16)
#define MICROPY_BOARD_EARLY_INIT() \
    do { \
        mp_cstack_init_with_top(&__StackTop, WHEEL_STACK); \
        gc_init(&__GcHeapStart, (void *)((uintptr_t)&__StackTop - WHEEL_STACK - WHEEL_KEPT)); \
    } while (0)
