"""Inputs of wagers on cards and dice from the words of a command line, as GIVE takes them."""

from collections.abc import Sequence
from typing import Any

from tabletop.rules.progressive.rounds import INPUTS

from wheelwright.errors import WheelwrightError

DIGITS = 15  # of a number that people give: a seat, a die, mills


def input_of(words: Sequence[str]) -> list[Any]:
    """`["hand", 1, "AS KH"]` of `hand 1 "AS KH"`; E-9001 names what is wrong with the words."""
    kinds = INPUTS.get(words[0])
    if kinds is None:
        advice = f"give one of {', '.join(INPUTS)}"
        raise WheelwrightError(9001, option="INPUT", value=repr(words[0][:40]), advice=advice)
    if len(words) != len(kinds) + 1:
        needs = ", ".join("a number" if kind == "i" else "a text" for kind in kinds)
        raise WheelwrightError(9001, option=words[0], value=repr(" ".join(words[1:])[:40]), advice=f"give {needs}")
    given: list[Any] = [words[0]]
    for kind, word in zip(kinds, words[1:], strict=True):
        if kind == "i" and not (word.isascii() and word.isdigit() and len(word) <= DIGITS):
            raise WheelwrightError(9001, option=words[0], value=repr(word[:40]), advice="give a whole number from 0")
        given.append(int(word) if kind == "i" else word)
    return given
