"""What linking cannot follow exactly is refused by file and line; what passes does on the VM what its source does."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from wheelwright.compiling import compiled
from wheelwright.compiling.linked import linked

from tests import linked_program
from tests.conftest import need_micropython

COUNT = "count = 0\ndef bump():\n    global count\n    count += 1\n"

# What it is: the modules beside each other, `root` the last; the line and the words of the refusal.
REFUSED = {
    "a store on a module": (
        {"rim": "level = 1\n", "root": "from app import rim\n\ndef configure(b):\n    rim.level = b\n"},
        "root.py line 4: rim.level is bound from outside"),
    "setattr, getattr or hasattr of a module, whatever the text": (
        {"rim": "level = 1\n", "root": "from app import rim\nlevel = 2\ndef get(n): return getattr(rim, 'le' + n)\n"},
        "root.py line 3: the module app.rim as a value"),
    "the attribute of a module that it does not bind": (
        {"rim": "level = 1\n", "root": "from app import rim\ndef get(): return rim.other\n"},
        "root.py line 2: rim.other is not bound at the top"),
    "a module as a part of its package": (
        {"rim": "x = 1\n", "root": "from app import rim\nimport app\ndef get(): return app.rim\n"},
        "root.py line 3: the module app.rim, which is linked, as a part"),
    "a module as a part of its package, by a text": (
        {"rim": "x = 1\n", "root": "from app import rim\nimport app\ndef get(): return hasattr(app, 'rim')\n"},
        "root.py line 3: the module app.rim, which is linked, as a part"),
    "a module by a text": (
        {"rim": "level = 1\n", "root": "from app import rim\nimport sys\ndef get(): return sys.modules['app.rim']\n"},
        'root.py line 3: the module "app.rim" by a text'),
    "a name that its module binds again": (
        {"a": COUNT, "root": "from app.a import count, bump\ndef run(): return bump(), count\n"},
        "root.py line 1: from app.a import count, which a function there binds again"),
    "a name that its module does not have": (
        {"a": "x = 1\n", "root": "from app.a import x, y\n"}, "root.py line 1: from app.a import y"),
    "a module of the unit, imported in a function": (
        {"a": "x = 1\n", "root": "from app import a\nx = 2\ndef run():\n    from app import a\n    return a.x\n"},
        "root.py line 4: the module app.a, which is linked, imported in a function"),
    "an import under try": (
        {"a": "x = 1\n", "root": "from app import a\ntry:\n    from binascii import crc32\nexcept ImportError:\n"
            "    pass\n"},
        "root.py line 3: an import under another statement"),
    "an import below other statements": (
        {"a": "x = 1\n", "root": "from app import a\ny = 1\nimport sys\n"}, "root.py line 3: an import below"),
    "an imported name that is bound again": (
        {"b": "ROOM = 8\n", "root": "from app.b import ROOM\nif ROOM < 20:\n    ROOM = 20\n"},
        "root.py line 1: ROOM is imported and bound otherwise"),
    "one name for two imports": (
        {"a": "x = 1\n", "b": "x = 2\n", "root": "from app.a import x\nfrom app.b import x\n"},
        r"root.py line \d: x is imported twice"),
    "one thing under two names": (
        {"a": "x = 1\n", "root": "from app.a import x as y, x as z\n"}, "one thing is imported under two names"),
    "async def": (
        {"a": "x = 1\n", "root": "from app import a\nasync def serve(x): return x\n"}, "root.py line 2: async def"),
    ":=": ({"a": "x = 1\n", "root": "from app import a\ny = [x := 1, a.x]\n"}, "root.py line 2: :="),
    "nonlocal": (
        {"a": "x = 1\n", "root": "from app import a\ndef f():\n    n = 1\n    def g():\n        nonlocal n\n"},
        "root.py line 5: nonlocal"),
    "a class that binds a name of the top and reads it": (
        {"a": "limits = 'a'\n", "root": "from app import a\nlimits = 'root'\nclass Store:\n    limits = limits\n"},
        "root.py line 4: limits may be the one of the class"),
    "a default in such a class": (
        {"a": "n = 'a'\n", "root": "from app import a\nn = 1\nclass Store:\n    n = 2\n"
            "    def get(self, m=n): return m\n"},
        "root.py line 5: n may be the one of the class"),
    "a list that is made in such a class": (
        {"a": "n = 'a'\n", "root": "from app import a\nn = 1\nclass Store:\n    n = 2\n    all = [n for _ in 'ab']\n"},
        "root.py line 5: n may be the one of the class"),
    "an import in a class": (
        {"a": "x = 1\n", "root": "from app import a\nclass Store:\n"
            "    import sys\n"}, "root.py line 3: an import in a class"),
    "two classes of one name": (
        {"a": "class Failed(Exception): pass\n", "root": "from app import a\nclass Failed(Exception): pass\n"},
        "root.py line 2: class Failed would be Failed2"),
    "global of what is not bound at the top": (
        {"a": "x = 1\n", "root": "from app import a\ndef f():\n    global x\n    x = 2\n"}, "root.py line 2: global x"),
    "global of what a function around it has": (
        {"a": "y = 1\n", "root": "from app import a\nx = 1\ndef f(x):\n    def g():\n        global x\n"
            "        x = 2\n"},
        "root.py line 4: global x, which a function around it has"),
    "an import into the names at the top": (
        {"a": "y = 1\n", "root": "from app import a\nsys = 1\ndef f():\n    global sys\n    import sys\n"},
        "root.py line 3: an import of sys into the names at the top"),
    "the names of a module as a table": (
        {"a": "y = 1\n", "root": "from app import a\ndef f(n): return globals()[n]\n"}, "root.py line 2: globals"),
    "the name of the module": (
        {"a": "y = 1\n", "root": "from app import a\ndef f(): return __name__\n"}, "root.py line 2: __name__"),
    "everything of a module": ({"a": "y = 1\n",
         "root": "from app.a import *\n"}, "root.py line 1: a relative import or"),
    "a module next to this one": ({"a": "y = 1\n",
         "root": "from . import a\n"}, "root.py line 1: a relative import or"),
    "a module with dots": (
        {"a": "y = 1\n", "root": "import app.a\n"
            "def f(): return app.a.y\n"}, "root.py line 1: a module .* dots and used"),
    "a name that only another module binds": (
        {"a": "spare = 1\n", "root": "from app import a\n"
            "def f(): return spare, a\n"}, "root.py line 2: spare is not bound here"),
    "except ... as at the top": (
        {"a": "x = 1\n", "root": "from app import a\ntry:\n    a.x\nexcept ValueError as x:\n    pass\n"},
        "root.py line 4: except ... as x"),
    "values by names that only running it tells": (
        {"a": "x = 1\n", "root": "from app import a\ndef f(count): return count\ndef run(): return f(**a.x)\n"},
        "root.py line 3: f.* gives values by names that only running it tells"),
}  # fmt: skip

# What it is: the modules; `run` of the root says what it has seen.
FOLLOWED = {
    "a default that names what was imported under another name": {
        "a": "def step(): return 'a'\n",
        "root": "from app.a import step as other\ndef step(): return 'b'\ndef run(f=other, g=step): return f(), g()\n"},
    "a default with the name of the parameter": {
        "a": "def size(): return 'a'\n",
        "root": "from app import a\ndef size(): return 'root'\nkeep = a.size\nf = lambda size=size: size()\n"
                "def g(size=size, *, n=a.size): return size(), n()\ndef run(): return f(), g(), keep()\n"},
    "import ... as": {
        "a": "import binascii as codec\ndef f(): return codec.hexlify(b'a')\n",
        "root": "import json as codec\nfrom app import a\ndef run(): return a.f(), codec.dumps([1])\n"},
    "import ... as a name that is a function elsewhere": {
        "a": "import binascii as clock\ndef f(): return clock.hexlify(b'a')\n",
        "root": "from app import a\ndef clock(): return 1\ndef run(): return a.f(), clock()\n"},
    "an attribute of a class of the name that it reads from a module": {
        "ring": "page = (256,)\n",
        "root": "from app import ring\nclass Store:\n    page = (4096,)\n    unit = ring.page\n"
            "def run(): return Store.unit, Store.page\n"},
    "a decorator of a class": {
        "a": "def mark(c): return 'a'\n",
        "root": "from app import a\ndef mark(c): return 'root'\n@mark\nclass X: pass\n@a.mark\ndef y(): pass\n"
            "def run(): return X, y\n"},
    "one name from two modules, in functions": {
        "a": "WINDOW = 16\n", "b": "WINDOW = 8\n",
        "root": "from app import a, b\ndef f():\n    from app.a import WINDOW\n    return WINDOW\n"
                "def g():\n    from app.b import WINDOW\n    return WINDOW\n"
                    "def run(): return f(), g(), a.WINDOW, b.WINDOW\n"},
    "a parameter with the name of a constant or a module": {
        "record": "MAX = 1024\nROOM = 8\n",
        "root": "from app import record\nfrom app.record import ROOM\nclass R: MAX = 7\n"
            "def g(record, ROOM): return record.MAX, ROOM\n"
                "def run(): return g(R(), 5), ROOM, record.MAX\n"},
    "a list over a thing with the name of its element": {
        "a": "size = 'a'\n",
        "root": "from app import a\nsize = 'root'\n"
            "def run(): return [size for size in size], a.size, size, [a for a in a.size]\n"},
    "a base by way of another module": {
        "base": "class Base:\n    def __init__(self): self._first = 1\n    def get(self): return self._first\n",
        "mid": "from app.base import Base as Base\n",
        "root": "from app import base\nfrom app.mid import Base\nclass Child(Base):\n    def __init__(self):\n"
            "        Base.__init__(self)\n"
                "        self._other = 5\nclass Other(base.Base): pass\n"
                    "def run(): return Child().get(), Other().get()\n"},
    "names that are asked for as texts, or put together": {
        "a": "ROOM = 8\nclass Thing:\n    ROOM = 3\n    _rim = 4\n",
        "root": "from app.a import Thing\nfrom app import a\nROOM = 9\ndef run():\n    n = 'rim'\n    t = Thing()\n"
                "    return getattr(t, 'ROOM', 0), getattr(t, '_' + n), hasattr(t, 'ROOM2'), a.ROOM, f'{t._rim}', \\\n"
                "        ROOM\n"},
    "one, two and more values at once": {
        "a": "x, = 1,\n",
        "root": "from app import a\nx = 5\ndef run():\n    p, q = x, a.x\n    p, q = q, p\n"
                "    *r, s = (lambda: 1, 2)[1:]\n"
                "    (t, u), v = (1, 2), 3 if p else 4\n    w = z, y = 7, 8\n"
                "    return p, q, r, s, t, u, v, w, y, z\n"},
    "an argument by its name": {
        "a": "_by = 1\ndef f(_by=2): return _by\n", "root": "from app.a import f\n_by = 5\n"
            "def run(): return f(_by=3), f(), _by\n"},
    "values by any name": {
        "a": "class Refused:\n    def __init__(self, code, **detail): self.told = code, detail\n",
        "root": "from app.a import Refused\ndef f(why): return Refused(why[0], **why[1]).told\n"
            "def run(): return f((7, {'a': 1, 'why': 2}))\n"},
    "parameters that what is in a function reads, hides, changes or binds again": {
        "a": "count = (7,)\n",
        "root": "from app import a\nb = 'b'\ndef reads(count, other=b):\n    def inner(more, b=count):\n"
            "        return count, more, b\n    return inner(other), [count for count in 'xy'], b\n"
                "def hides(count):\n    key = lambda count: count + 1\n"
                "    return key(count), (lambda n: n + count)(1)\n"
                    "def changes(count, step):\n    count += step\n    del step\n    return count, f'{count}'\n"
                        "def binds(error, sys):\n    import sys\n    try:\n        raise ValueError(error)\n"
                            "    except ValueError as error:\n        return str(error), sys is not None\n"
                                "class Box:\n    def __init__(self, count): self.count = count\n"
                                    "def run(): return reads(1), hides(2), changes(3, 4), binds(5, 6), Box(8).count\n"},
    "numbers that stay, and numbers that do not": {
        "a": "STEP = -2\nSIZE = 3 * 4 + 1\nYES = True\nlevel = 5\ntwice = 1\ntwice += 1\n"
            "if SIZE:\n    twice = 9\ndef up():\n    global level\n    level += 1\n",
        "root": "from app import a\nfrom app.a import SIZE as WIDE, STEP, up\nSTEPS = 2\nclass Box:\n    STEP = 4\n"
            "def own(STEP): return STEP\ndef run():\n    up()\n"
                "    return STEP ** 2, 2 - STEP, a.STEP ** 2, WIDE, a.YES, a.level, a.twice, own(1), Box.STEP, \\\n"
                "        STEPS, [SIZE for SIZE in range(STEPS)], (-STEP).__class__ is int\n"},
    "what a function binds at the top": {
        "a": COUNT + "def get(): return count\n",
        "root": "from app import a\nfrom app.a import bump, get\ncount = 10\ndef run():\n    bump()\n"
            "    return get(), a.count, count\n"},
}  # fmt: skip


def texts_of(modules: dict[str, str]) -> dict[str, bytes]:
    return {"app/__init__.py": b""} | {f"app/{name}.py": text.encode() for name, text in modules.items()}


def said(texts: dict[str, bytes], folder: Path, program: str = "import app.root; print(app.root.run())") -> str:
    """What a program says on the VM."""
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text)
    command = [need_micropython(), "-X", "heapsize=2m", "-c", program]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("what", REFUSED)
def test_what_cannot_be_followed_is_refused_by_file_line_and_construct(what: str) -> None:
    modules, sentence = REFUSED[what]
    with pytest.raises(RuntimeError, match=f"^app/{sentence}" if sentence.startswith("root") else sentence):
        linked(texts_of(modules), ["app.root"])


@pytest.mark.parametrize("what", FOLLOWED)
def test_what_is_followed_does_on_the_vm_what_its_source_does(what: str, tmp_path: Path) -> None:
    texts = texts_of(FOLLOWED[what])
    unit = linked(texts, ["app.root"])
    assert set(unit) == {"app/__init__.py", "app/root.py"}
    assert said(unit, tmp_path / "linked") == said(texts, tmp_path / "plain")


def edited(path: str, before: str, after: str) -> dict[str, bytes]:
    """The firmware with one plausible edit."""
    texts = compiled.sources()
    assert before.encode() in texts[path]
    return texts | {path: texts[path].replace(before.encode(), after.encode(), 1)}


def both(texts: dict[str, bytes], folder: Path, program: str) -> list[str]:
    """What the firmware says from source, and as it is compiled."""
    linked_program.write(folder / "linked", texts)
    return [said(texts, folder / "plain", program), said({}, folder / "linked", program)]


def test_a_number_of_a_game_is_found_by_a_text(tmp_path: Path) -> None:
    texts = edited("tabletop/rules/dreamcatcher.py", "\nNAME = ", "\nPAGES = 7\nNAME = ")
    program = "from tabletop.rules import game_named; print(getattr(game_named('dreamcatcher'), 'PAGES', 0))"
    assert both(texts, tmp_path, program) == ["7\n", "7\n"]


def test_two_windows_of_two_modules_stay_two(tmp_path: Path) -> None:
    windows = ("    def window(self):\n        from tabletop.link.schema import WINDOW\n        return WINDOW\n"
               "    def ahead(self):\n        from tabletop.link.events import WINDOW\n"
                   "        return WINDOW\n")  # fmt: skip
    texts = edited("tabletop/table/status.py", "    def live(", windows + "    def live(")
    program = "from tabletop.table.status import Status; print(Status.window(None), Status.ahead(None))"
    assert both(texts, tmp_path, program) == ["8 16\n", "8 16\n"]


def test_a_brightness_that_is_set_in_another_module_is_refused() -> None:
    texts = edited("tabletop/table/show.py", "        self.view = View()\n",
                   "        self.view = View()\n        panel.brightness = board.get('brightness', 60)\n")  # fmt: skip
    texts["tabletop/scenes/panel.py"] += b"\nbrightness = 255\n\n\ndef dimmed():\n    return brightness\n"
    with pytest.raises(RuntimeError, match=r"tabletop/table/show.py line \d+: panel.brightness is bound from outside"):
        compiled.prepared(texts)
