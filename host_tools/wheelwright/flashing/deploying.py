"""`wheelwright deploy`: from a board's table to its prompt, the modules, and back to a table that proves them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from wheelwright.compiling.compiled import compile_for
from wheelwright.errors import WheelwrightError
from wheelwright.flashing import deploy
from wheelwright.flashing.at_prompt import back_at_table, to_prompt
from wheelwright.flashing.flash import Answer, Step, choose
from wheelwright.flashing.usb import Usb


def compiled(paths: list[Path], chip: str) -> dict[str, bytes]:
    """The modules of these files for a chip, by name. E-7335, E-7208."""
    names = {deploy.module_of(path): path for path in paths}
    arch = deploy.NATIVE.get(chip, deploy.NATIVE["RP2040"])
    return {name: compile_for(arch, f"{name}.py", path.read_bytes()) for name, path in sorted(names.items())}


class Deployment:
    """Iterate `steps()`. `paths` are the modules, none to clear; `format` makes a file system first."""

    def __init__(self, world: Usb, wanted: str, paths: list[Path], *, format: bool = False) -> None:
        self.world = world
        self.wanted = wanted
        self.paths = paths
        self.format = format
        self.answer: Answer | None = None

    def steps(self) -> Iterator[Step]:
        """Raises E-73xx; whatever ends it, the board starts with the version before or with the new one, whole."""
        world = self.world
        for path in self.paths:  # what is wrong with them is said before a table is stopped
            deploy.module_of(path)
        board = choose([board for board in world.boards() if board.state == "table"], self.wanted)
        modules = compiled(self.paths, board.chip)
        yield Step("CONSOLE", f"asking {board.serial or board.port} for its prompt")
        with to_prompt(world, board) as prompt:
            if self.format:
                facts = deploy.check(prompt, modules)
                deploy.check_room(deploy.Version(facts["image"], modules), *prompt.room())
                yield Step("FORMAT", "making an empty file system")
                prompt.format()
            yield from deploy.deploy(prompt, board.port, modules) if modules else deploy.clear(prompt)
            want = prompt.program()
            prompt.restart()
        yield Step("BOARD", "waiting for the table to start")
        answer = self.answer = back_at_table(world, board)
        if answer.program.hex() != want:
            raise WheelwrightError(7338, serial=answer.serial, found=answer.program.hex()[:16], want=want[:16])
        yield Step("DONE", answer.words())


def summary(deployment: Deployment, done: list[Step]) -> Mapping[str, object]:
    """What `--json` prints."""
    answer = deployment.answer
    return {
        "modules": [deploy.module_of(path) for path in deployment.paths], "serial": answer.serial if answer else None,
        "version": answer.version if answer else None, "program": answer.program.hex() if answer else None,
        "steps": [step.state for step in done],
    }  # fmt: skip
