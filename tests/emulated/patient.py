"""A plugin of pytest (`-p tests.emulated.patient`): its tests wait for an emulated table as long as that takes."""

from __future__ import annotations

import pytest

from tests.emulated.process import patience


def pytest_configure(config: pytest.Config) -> None:
    waiting = patience()
    waiting.__enter__()
    config.add_cleanup(lambda: waiting.__exit__(None, None, None))
