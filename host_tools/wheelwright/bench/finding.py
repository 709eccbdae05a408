"""What a test found: a verdict with its figure, and of a failure the cause, from one list for bench and diagnosis."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from wheelwright.reports.run import Plot, Verdict


class Cause(NamedTuple):
    """What is wrong, and what to look at next."""

    what: str
    next_step: str


CAUSES = {
    "a_dead": Cause("encoder line A is dead", "measure A at the board's plug while the wheel turns: it must swing; "
                    "then crimp or cable of pin A"),
    "b_dead": Cause("encoder line B is dead", "measure B at the board's plug while the wheel turns: it must swing; "
                    "then crimp or cable of pin B"),
    "encoder_dead": Cause("the encoder gives nothing while pegs go by", "check its 5 V supply and plug, then whether "
                          "its shaft turns with the wheel"),
    "a_loose": Cause("encoder line A fails now and then: a loose crimp", "wiggle the plug while the wheel turns slowly, "
                     "then crimp pin A anew"),
    "b_loose": Cause("encoder line B fails now and then: a loose crimp", "wiggle the plug while the wheel turns slowly, "
                     "then crimp pin B anew"),
    "swapped": Cause("encoder lines A and B are swapped", "exchange A and B at the plug, or set the direction with: "
                     "wheelwright calibrate"),
    "wrong_encoder": Cause("the encoder has another number of counts a turn than the table was told",
                           "read the type plate; fit the right encoder, or measure with: wheelwright calibrate"),
    "counts_lost": Cause("counts are missing or too many", "check cable, shield and plug of the encoder"),
    "slips": Cause("the coupling slips: the encoder's shaft turns against the wheel", "tighten the set-screw of the "
                   "coupling, then set the zero anew with: wheelwright calibrate"),
    "index_dead": Cause("the index line is dead", "measure Z at the board's plug while the wheel turns slowly; then "
                        "crimp or cable of pin Z"),
    "index_noise": Cause("the index line has noise: pulses that are none", "check the shield of the encoder's cable, "
                         "and that it does not run beside the LED supply"),
    "index_width": Cause("the index is not as wide as the table expects, so the wheel never homes", "measure it with: "
                         "wheelwright calibrate"),
    "index_inverted": Cause("the index is the wrong way round: active all turn but at the index", "order or wire Z the "
                            "other way round, or set INDEX the other way in boards/wiring.json and build the image anew"),
    "index_ungated": Cause("the width of the index differs by direction or from turn to turn: Z is not gated with A "
                           "and B", "check that the opto-coupler of Z is as fast as those of A and B; then fit an "
                           "encoder whose Z is gated with A and B"),
    "index_wanders": Cause("the index does not come at the same place", "check whether the code disc or magnet is "
                           "loose on its shaft"),
    "clapper_dead": Cause("the clapper's switch never closes", "bend the clapper by hand and watch the live value; "
                          "then its switch and cable"),
    "clapper_stuck": Cause("the clapper's switch never opens", "free the clapper by hand and watch the live value; "
                           "then the spring, the switch and a short in its cable"),
    "clapper_inverted": Cause("the clapper is the wrong way round: active but where a peg lifts it", "use a sensor of "
                              "the other kind (normally open, closed), or set CLAPPER the other way in "
                              "boards/wiring.json and build the image anew"),
    "clapper_worn": Cause("the clapper misses pegs now and then: it is worn", "replace the clapper or set it closer"),
    "clapper_moved": Cause("the clapper bends over another stretch of the wheel than when it was calibrated",
                           "look whether clapper or switch are loose or worn; if all is well, calibrate again"),
    "peg_missing": Cause("a peg is missing or bent", "look at that peg"),
    "peg_off": Cause("pegs do not stand where the encoder says", "set the zero with: wheelwright calibrate; then look "
                     "at that peg"),
    "bearing": Cause("the bearing is tired: the wheel loses speed faster than it should", "turn the wheel by hand and "
                     "listen; clean or replace the bearing; then look for something that rubs"),
    "bearing_free": Cause("the wheel loses less speed than it should: pegs or clapper hardly touch",
                          "set the clapper closer"),
    "hand": Cause("a hand or an object stopped the wheel", "spin it once more and keep away from the rim"),
    "brown_out": Cause("the supply fails for moments: the table restarts by itself", "measure the 5 V supply under "
                       "load, with all LEDs white; check its plug and fuse"),
    "restarts": Cause("the program was restarted by its watchdog", "note the tilts and call the maker"),
    "modem_manager": Cause("ModemManager talks to the table's port", "run: wheelwright doctor, and do what it says"),
    "link_noise": Cause("frames are damaged on the line", "use a shorter or shielded cable, and another port"),
    "button_stuck": Cause("a contact is closed all the time", "free the button; then look for a short in its cable"),
    "button_dead": Cause("a contact does not close", "check button, lamp ring and cable"),
    "led_dead": Cause("a LED stays dark or shows another colour", "replace that LED; when all behind it are dark, the "
                      "data line between it and the one before"),
    "digits_dead": Cause("a display stays dark", "check plug and supply of that display"),
    "journal": Cause("the journal is not whole", "clear nothing; take a raw image (wheelwright log dump) and call the "
                     "maker"),
    "program": Cause("the program is not the expected one", "flash the approved image again"),
    "rng": Cause("the random number generator does not pass", "make no draw; have the noise source examined"),
    "clock": Cause("the table's clock does not keep time", "call the maker: its crystal is out of range"),
}  # fmt: skip


@dataclass(frozen=True)
class Found:
    """The outcome of one test; `fault` is a name of CAUSES."""

    verdict: Verdict
    measured: int | float | str | None = None
    low: int | float | None = None
    high: int | float | None = None
    unit: str = ""
    expected: str = ""
    detail: str = ""
    fault: str = ""
    next_step: str = ""
    plot: Plot | None = None

    @property
    def cause(self) -> str:
        return CAUSES[self.fault].what if self.fault else ""

    @property
    def advice(self) -> str:
        return self.next_step or (CAUSES[self.fault].next_step if self.fault else "")


def invalid(detail: str, next_step: str = "do this test again") -> Found:
    """The test could not be made as it must be."""
    return Found("INVALID", detail=detail, next_step=next_step)


def skipped(detail: str) -> Found:
    """The test was left out, and why."""
    return Found("SKIPPED", detail=detail)
