"""A developer's modules: what is refused before the first byte, and a power cut at every operation on a file."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from tabletop.hal.rp2 import overlay
from wheelwright.compiling.compiled import compile_for
from wheelwright.errors import WheelwrightError
from wheelwright.flashing import deploy
from wheelwright.flashing.deploy import NATIVE, Version, check_format, module_of

from tests.conftest import ROOT

IMAGE = "ab" * 32
RP2040_MPY = 6 | 3 << 8 | deploy.ARCHES.index("armv6m") << 10
OLD = {"tabletop/rules/luxor": b"M\x06\x00\x1fold luxor", "tabletop/scenes/ring": b"M\x06\x00\x1fold ring" * 300}
NEXT = {"tabletop/rules/luxor": b"M\x06\x00\x1fnew luxor" * 200, "tabletop/table/play": b"M\x06\x00\x1fnew play"}


class Cut(Exception):
    """The power failed."""


class Folder:
    """`deploy.Files` in a real folder, by the calls that the board makes; the power fails in operation `cut_at`, and a
    write that it fails in leaves half of the bytes."""

    def __init__(self, base: Path, free: int = 90, mpy: int = RP2040_MPY, block: int = 4096) -> None:
        self.base, self.free, self.mpy, self.block = base, free, mpy, block
        self.operations = self.sent = 0
        self.cut_at = 0

    def change(self) -> bool:
        """Counts an operation that changes something; True when the power fails in it."""
        self.operations += 1
        if 0 < self.cut_at < self.operations:
            raise Cut
        return self.operations == self.cut_at

    def report(self) -> dict[str, Any]:
        path = self.base / "manifest"
        return {"version": "1.2.3", "commit": "abc", "image": IMAGE, "mpy": self.mpy, "folder": str(self.base),
                "block": self.block, "free": self.free, "manifest": path.read_text() if path.exists() else ""}

    def hash(self, path: str) -> str:
        return str(overlay.file_hash(path))

    def folders(self, folder: str) -> list[str]:
        return [path.name for path in Path(folder).glob("*") if path.is_dir()]

    def make_folder(self, path: str) -> None:
        if not Path(path).exists():
            cut = self.change()
            Path(path).mkdir(parents=True)
            if cut:
                raise Cut

    def write(self, path: str, data: bytes) -> None:
        cut = self.change()
        Path(path).write_bytes(data[: len(data) // 2] if cut else data)
        if cut:
            raise Cut
        self.sent += len(data)

    def rename(self, path: str, to: str) -> None:
        if self.change():  # littlefs does it whole or not at all
            raise Cut
        os.replace(path, to)

    def remove(self, path: str) -> None:
        """File by file, as the board does."""
        found = Path(path)
        for inner in sorted(found.rglob("*"), reverse=True) if found.is_dir() else []:
            self._remove(inner)
        if found.exists():
            self._remove(found)

    def _remove(self, path: Path) -> None:
        if self.change():
            raise Cut
        path.rmdir() if path.is_dir() else path.unlink()


@pytest.fixture
def base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(overlay, "FOLDER", str(tmp_path / "program"))
    return tmp_path / "program"


def run(files: Folder, modules: dict[str, bytes]) -> list[str]:
    return [step.state for step in deploy.deploy(files, "port", modules)]


def starts_with(image: str = IMAGE) -> dict[str, bytes]:
    """The modules with which the board starts now, by the firmware's own rule."""
    return {name.replace(".", "/"): Path(path).read_bytes() for name, path in overlay.whole(image).items()}


def test_a_version_is_sent_checked_and_takes_the_place_of_the_one_before(base: Path) -> None:
    files = Folder(base)
    assert run(files, OLD) == ["CHECK", "SEND", "SEND", "SWITCH"]
    assert starts_with() == OLD
    assert run(files, NEXT) == ["CHECK", "SEND", "SEND", "SWITCH"]
    assert starts_with() == NEXT
    assert files.folders(str(base)) == [Version(IMAGE, NEXT).name], "the version before is gone"
    assert [step.state for step in deploy.clear(files)] == ["CLEAR"]
    assert starts_with() == {}
    assert not base.exists()


def test_case_26_an_update_cut_at_any_operation_starts_the_old_version_whole_and_can_be_resumed(
    base: Path, tmp_path: Path
) -> None:
    run(Folder(base), OLD)
    shutil.copytree(base, tmp_path / "before")
    whole = Folder(base)
    run(whole, NEXT)
    starts = []
    for cut_at in range(1, whole.operations + 1):
        shutil.rmtree(base)
        shutil.copytree(tmp_path / "before", base)
        files = Folder(base)
        files.cut_at = cut_at
        with pytest.raises(Cut):
            run(files, NEXT)
        starts.append(starts_with())
        again = Folder(base)
        run(again, NEXT)
        assert starts_with() == NEXT, cut_at
        assert files.folders(str(base)) == [Version(IMAGE, NEXT).name], cut_at
        assert again.sent <= whole.sent, cut_at
    switched = starts.index(NEXT)
    assert starts[:switched] == [OLD] * switched
    assert starts[switched:] == [NEXT] * (len(starts) - switched)
    assert 0 < switched < len(starts)


def test_a_first_version_cut_at_any_operation_starts_the_image_alone(base: Path) -> None:
    whole = Folder(base)
    run(whole, OLD)
    for cut_at in range(1, whole.operations + 1):
        shutil.rmtree(base)
        files = Folder(base)
        files.cut_at = cut_at
        with pytest.raises(Cut):
            run(files, OLD)
        assert starts_with() == {}, cut_at
        run(Folder(base), OLD)
        assert starts_with() == OLD, cut_at


def test_a_resumed_update_sends_only_what_is_missing(base: Path) -> None:
    files = Folder(base)
    steps = deploy.deploy(files, "port", OLD)
    while next(steps).state != "SEND":
        pass
    assert next(steps).state == "SEND", "the first is there, the host goes away before the second"
    steps.close()
    again = Folder(base)
    assert run(again, OLD) == ["CHECK", "KEEP", "SEND", "SWITCH"]
    assert again.sent < sum(map(len, OLD.values())) + 300


@pytest.mark.parametrize("spoil", ["damaged", "absent", "other image", "manifest of nonsense", "manifest cut"])
def test_a_version_that_is_not_whole_or_not_for_this_image_is_as_if_it_was_not_there(spoil: str, base: Path) -> None:
    run(Folder(base), OLD)
    assert starts_with() == OLD
    one = base / Version(IMAGE, OLD).name / "tabletop/rules/luxor.mpy"
    manifest = base / "manifest"
    if spoil == "damaged":
        one.write_bytes(one.read_bytes()[:-1] + b"\0")
    elif spoil == "absent":
        one.unlink()
    elif spoil == "manifest of nonsense":
        manifest.write_text("\n\n one two three")
    elif spoil == "manifest cut":
        manifest.write_text(manifest.read_text()[:100])
    assert starts_with("cd" * 32 if spoil == "other image" else IMAGE) == {}


def test_not_enough_room_is_said_before_the_first_byte_and_one_block_more_is_enough(base: Path) -> None:
    need = Version(IMAGE, OLD).blocks(4096)
    files = Folder(base, free=need - 1)
    with pytest.raises(WheelwrightError, match=f"E-7333 the modules need {need} blocks .*, and {need - 1} are free"):
        run(files, OLD)
    assert files.operations == 0
    run(Folder(base, free=need), OLD)
    assert starts_with() == OLD


def test_a_board_without_a_file_system_is_told_how_to_get_one(base: Path) -> None:
    with pytest.raises(WheelwrightError, match=r"E-7332 .*wheelwright deploy --format"):
        run(Folder(base, block=0, free=0), OLD)


def test_a_file_that_reads_back_otherwise_never_counts(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = Folder(base)
    monkeypatch.setattr(files, "hash", lambda path: "00" * 32)
    with pytest.raises(WheelwrightError, match="E-7336"):
        run(files, OLD)
    assert starts_with() == {}


def test_case_25_a_module_of_another_format_is_stopped_before_anything_is_written(base: Path) -> None:
    files = Folder(base)
    with pytest.raises(WheelwrightError, match=r"E-7334 .*luxor is compiled in format 5, .* takes 6\.3 armv6m"):
        run(files, {**OLD, "tabletop/rules/luxor": b"M\x05\x00\x1fold"})
    assert files.operations == 0


VIPER = b"import micropython\n@micropython.viper\ndef twice(x: int) -> int:\n    return x + x\n"


@pytest.mark.parametrize(("chip", "board", "taken"), [
    ("RP2040", "armv6m", True), ("RP2350", "armv7emsp", True), ("RP2350", "armv6m", False), ("RP2040", "x64", False),
])  # fmt: skip
def test_case_25_native_code_of_another_machine_is_stopped_with_both_names(
    chip: str, board: str, taken: bool
) -> None:
    data = compile_for(NATIVE[chip], "tabletop/x.py", VIPER)
    mpy = 6 | (data[2] & 3) << 8 | deploy.ARCHES.index(board) << 10
    if taken:
        check_format("x", data, mpy)
    else:
        with pytest.raises(WheelwrightError, match=f"format 6.. {NATIVE[chip]}, .* takes 6.. {board}"):
            check_format("x", data, mpy)


def test_plain_bytecode_runs_on_any_machine_of_its_format() -> None:
    data = compile_for("armv6m", "tabletop/x.py", b"X = 1\n")
    check_format("x", data, 6 | 1 << 8 | 2 << 10)


@pytest.mark.parametrize(("path", "reason"), [
    ("firmware/main.py", "only modules"), ("firmware/tabletop/rules/__init__.py", "only modules"),
    ("firmware/tabletop/hal/virtual/board.py", "virtual table"), ("firmware/tabletop/none.py", "no Python file"),
    ("boards/WHEEL_PICO/table.json", "no Python file"), ("firmware/tabletop/hal/rp2/overlay.py", "loads the others"),
    ("tests/conftest.py", "only modules"),
])  # fmt: skip
def test_what_no_file_can_stand_in_for_is_refused_with_the_reason(path: str, reason: str) -> None:
    with pytest.raises(WheelwrightError, match=f"E-7335 .*{reason}.*build an image"):
        module_of(ROOT / path)


def test_a_module_is_known_by_its_place_in_the_package() -> None:
    assert module_of(ROOT / "firmware/tabletop/rules/luxor.py") == "tabletop/rules/luxor"
