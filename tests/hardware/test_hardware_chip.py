"""On the real chip: tests of the emulated one that need nothing but its prompt."""

from tests.emulated.test_emulated_chip import (  # noqa: F401
    test_case_50_a_watchdog_that_the_chip_cannot_keep_is_refused_with_the_limit,
    test_the_heap_stays_flat_over_rounds,
)
from tests.emulated.test_emulated_lamps import (  # noqa: F401
    test_case_44_a_frame_of_162_leds_holds_the_cpu_under_a_millisecond_and_masks_nothing,
)
