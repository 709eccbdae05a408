"""On the real chip: every test of the emulated one that needs nothing but its prompt.

The others see the emulator's pins, flash or memory, or cut its power; those of flash would erase the table's journal.
"""

from tests.emulated.test_emulated_chip import (  # noqa: F401
    test_case_50_a_watchdog_that_the_chip_cannot_keep_is_refused_with_the_limit,
    test_the_heap_stays_flat_over_rounds,
    test_the_image_tells_its_version_and_the_commit_that_it_was_built_from,
)
from tests.emulated.test_emulated_lamps import (  # noqa: F401
    test_case_44_a_frame_of_162_leds_holds_the_cpu_under_a_millisecond_and_masks_nothing,
)
