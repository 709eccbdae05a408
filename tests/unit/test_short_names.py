"""Private names become short ones, and no two of a class, or of classes that share their insides, become the same."""

from __future__ import annotations

from wheelwright import compiled, short_names

BASE = b"""
_MOST = const(3)
_table = {}

class Base:
    def __init__(self):
        self._first = 1
        self.public = "_first_not"

    def _step(self, _by=2):
        self._first += _by  # _first in a comment
        return _table
"""
CHILD = b"""
from tabletop.base import Base

class Child(Base):
    def __init__(self):
        Base.__init__(self)
        self._other = 5

    def both(self):
        return self._first, self._other, self._step()
"""
ALONE = b"""
class Alone:
    def __init__(self):
        self._x = self._named = 1

    def _do(self):
        pass
"""
TALKS = b"def call(thing):\n    return getattr(thing, '_named')\n"


def run(texts: dict[str, bytes], path: str, names: dict[str, object]) -> dict[str, object]:
    names = {"const": int, **names}
    exec(texts[path].replace(b"from tabletop.base import Base", b""), names)  # noqa: S102 - our own text, renamed
    return names


def test_a_class_and_its_base_keep_their_private_names_apart() -> None:
    texts = short_names.shortened({"tabletop/base.py": BASE, "tabletop/child.py": CHILD})
    base = run(texts, "tabletop/base.py", {})
    child = run(texts, "tabletop/child.py", {"Base": base["Base"]})["Child"]()  # type: ignore[operator]
    assert child.both() == (1, 5, {})
    assert child.both()[0] == 3, "the step was made"
    assert len(vars(child)) == 3
    assert child.public == "_first_not"


def test_lines_stay_constants_stay_and_comments_too() -> None:
    text = short_names.shortened({"tabletop/base.py": BASE})["tabletop/base.py"]
    assert text.count(b"\n") == BASE.count(b"\n")
    assert b"_MOST = const(3)" in text, "the compiler knows a private constant by its name"
    assert b"# _first in a comment" in text
    assert b"self._first" not in text


def test_a_name_that_is_asked_for_as_a_text_stays() -> None:
    texts = short_names.shortened({"tabletop/alone.py": ALONE, "tabletop/talks.py": TALKS})
    thing = run(texts, "tabletop/alone.py", {})["Alone"]()  # type: ignore[operator]
    assert run(texts, "tabletop/talks.py", {})["call"](thing) == 1  # type: ignore[operator]


def test_modules_that_have_nothing_to_do_with_each_other_share_names() -> None:
    other = ALONE.replace(b"_do", b"_clear").replace(b"_named", b"_known").replace(b"_x", b"_of_mine")
    texts = short_names.shortened({"a.py": ALONE.replace(b"_named", b"_given"), "b.py": other})
    assert texts["a.py"] == texts["b.py"]


def test_the_firmware_needs_far_fewer_private_names() -> None:
    def names(texts: dict[str, bytes]) -> set[str]:
        modules = [short_names._Module(text.decode()) for text in texts.values()]
        return set().union(*(module.names - module.constants for module in modules))

    texts = compiled.sources()
    assert len(names(short_names.shortened(texts))) < len(names(texts)) / 2
