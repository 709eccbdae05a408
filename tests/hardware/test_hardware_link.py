"""On a real table: the tests of the emulated one's link, and what only a rig can do to it."""

import pytest
from wheelwright.errors import Refused
from wheelwright.link import Client

from tests.emulated.test_emulated_table import (  # noqa: F401
    test_all_byte_values_in_frames_of_many_sizes_come_back_whole,
    test_the_self_test_passes,
)
from tests.hardware.conftest import ANSWER_S
from tests.hardware.rig import Rig


def test_a_power_cut_at_rest_loses_no_round(rig: Rig, address: str) -> None:
    with Client.open(address, ANSWER_S) as table:
        opened = table.call("OPEN_BETS")["round"]
        table.call("WAGER", bets=[[1, "10", 5000]])
    rig.cut_power()
    with Client.open(address, ANSWER_S) as table:
        status = table.call("STATUS")
        assert (status["round"], status["phase"]) == (opened, "BETS_OPEN")
        table.call("VOID", reason="TEST")


def test_a_command_that_needs_the_service_key_is_refused_without_it(rig: Rig, client: Client) -> None:
    with pytest.raises(Refused, match=r"E-1008|E-1009"):
        client.call("RESTART", reason="HOST", mac=bytes(32))
