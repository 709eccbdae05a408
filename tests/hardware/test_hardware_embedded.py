"""On a real table: the tests of the hardware-in-the-loop harness, which has the port (pytest-embedded)."""

import pytest

from tests.virtual.embedded.conftest import client, embedded_services, port, virtual_table  # noqa: F401
from tests.virtual.embedded.test_embedded_table import (  # noqa: F401
    test_case_56_an_answer_carries_the_token_of_this_run,
    test_case_57_state_is_learned_by_asking,
    test_the_program_on_the_table_is_the_one_that_HELLO_names,
    test_the_self_test_passes_and_names_its_parts,
)


@pytest.fixture(autouse=True)
def _bench(address: str) -> None:
    """Only the table of the bench, and none without `--port`."""
