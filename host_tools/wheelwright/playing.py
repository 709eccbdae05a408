"""Everything that `wheelwright play` needs at a table, opened together and closed in order."""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from types import TracebackType
from typing import Any, Self

from wheelwright import __version__, terminal
from wheelwright.aim import wanted
from wheelwright.bonus_dealer import BonusDealer, sample
from wheelwright.console import LiveView
from wheelwright.dealer import NONE_OPEN, Dealer
from wheelwright.errors import WheelwrightError
from wheelwright.games import game_of
from wheelwright.hand import Hand
from wheelwright.interrupt import heard, stopped
from wheelwright.link import Client
from wheelwright.logbook.arrivals import Arrivals
from wheelwright.logbook.pulling import anchor, next_wanted
from wheelwright.logbook.store import Store
from wheelwright.seated_dealer import SeatedDealer
from wheelwright.watching import join, settlement

TELEMETRY_HZ = 15
DEALERS = (7020, 7021)  # errors after which the dealer at the table can go on: the round is left as it is
LIVE = (
    "play makes up cards, dice and wins, which people enter in live play (wheelwright give): "
    "switch the table to test mode"
)
NO_BONUS = "--choose and --spot are for a table with a bonus game, which this one has not"
SMALL = "[0-9]{1,9}"  # a seat, a choice
SPOT_LONGEST = 20  # characters; longer is no spot of any layout, and would fill a frame


def bets_of(words: list[str]) -> list[list[Any]]:
    """Wagers from `SEAT:SPOT:MILLS`; E-9002 for what is none. What the table takes is the table's to say."""
    bets: list[list[Any]] = []
    for text in words:
        seat, _, rest = text.partition(":")
        spot, _, mills = rest.partition(":")
        try:
            numbers = int(seat), int(mills)
        except ValueError:
            raise WheelwrightError(9002, text=repr(text[:40])) from None
        if not (spot.isascii() and len(spot) <= SPOT_LONGEST and all(abs(number) < 1 << 63 for number in numbers)):
            raise WheelwrightError(9002, text=repr(text[:40]))
        bets.append([numbers[0], spot, numbers[1]])
    return bets


def choices_of(words: list[str], bets: Sequence[Sequence[Any]] = ()) -> dict[int, int]:
    """Choices from `SEAT:N`; E-9005 for what is none. What can be chosen is the table's to say.

    Where there are bets, a choice is of a seat that has one (E-9000); else wagers are made up for those who choose.
    """
    choices: dict[int, int] = {}
    for text in words:
        seat, _, choice = text.partition(":")
        if not (re.fullmatch(SMALL, seat) and re.fullmatch(SMALL, choice)):
            raise WheelwrightError(9005, text=repr(text[:40]))
        choices[int(seat)] = int(choice)
        if bets and int(seat) not in [bet[0] for bet in bets]:
            reason = f"--choose {text} is of a seat that no --bet names"
            raise WheelwrightError(9000, reason=reason, command="wheelwright play")
    return choices


class Pusher:
    """Spins the wheel of a virtual table as `aims` say (see `aim`), one a spin of the round, then to any number.

    Without a hand's address nobody is pushed: then the dealer at the table spins.
    """

    def __init__(self, hand: str | None, aims: list[str], seed: int) -> None:
        for words in aims:
            wanted(words)  # before the table is touched
        if aims and hand is None:
            raise WheelwrightError(9000, reason="--aim needs --hand, which turns the wheel", command="wheelwright play")
        self.hand = Hand(hand) if hand is not None else None
        self._aims = aims
        self._seed = seed * 10_000

    def spin(self, nth: int) -> None:
        """Launch the nth spin of a round."""
        if self.hand is not None:
            self._seed += 1
            self.hand.spin(self._aims[nth - 1] if nth <= len(self._aims) else "number", self._seed)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.hand is not None:
            self.hand.close()


class Playing:
    """A table, its log and its view while it is played. `dealer` plays; Ctrl-C leaves the table in a defined phase.

    `live`: draw the ring where there is room. `quiet`: show nothing. `spot` begins a bonus game (one of its own when
    left out), `choices` are what seats choose in it, `seed` makes up wagers (`sample`) and choices that nobody names.
    """

    def __init__(
        self, port: str, timeout: float, spin: Callable[[int], object], db: str | None, patience_s: float,
        *, live: bool, quiet: bool, hand: Hand | None = None, choices: Mapping[int, int] | None = None,
        spot: str = "", seed: int = 1,
    ) -> None:  # fmt: skip
        with ExitStack() as opened:
            client = opened.enter_context(Client.open(port, timeout))
            if not client.hello.compatible:
                raise WheelwrightError(7011, table=client.hello.version, tool=__version__)
            store = opened.enter_context(Store.open(db, create=True)) if db else None
            serial, game = client.hello.serial, game_of(client.hello.capabilities)
            view = LiveView(game.layout, terminal.console(quiet=quiet), live=live)
            arrivals = Arrivals(
                (lambda raws: store.add(serial, raws)) if store else (lambda _raws: None),
                view.record, client.check,
            )  # fmt: skip
            status = client.call("STATUS")
            view.telemetry(status)  # a round may be open already
            cursor = next_wanted(store, serial) if store else status["last"] + 1
            arrivals.last = cursor - 1
            join(client, status, cursor, view.scene.record)
            settled = settlement(client, status, cursor)
            opened.enter_context(heard(arrivals.take))
            opened.enter_context(view)
            client.subscribe(cursor, arrivals.take_record, arrivals.take_gap)
            if live:
                client.telemetry(TELEMETRY_HZ, lambda values, _dropped: view.telemetry(values))
            if (choices or spot) and not game.bonus:
                raise WheelwrightError(9000, reason=NO_BONUS, command="wheelwright play")
            if game.seated and not status["test"]:
                raise WheelwrightError(9000, reason=LIVE, command="wheelwright play")
            self.game = game
            self.dealer: Dealer
            if game.bonus:
                begins, _, chosen = sample(game, seed, spot)

                def make_up(seats: int) -> tuple[list[list[Any]], Mapping[int, int]]:
                    _, bets, chosen = sample(game, seed, spot, seats, choices or ())
                    return bets, choices or chosen

                self.dealer = BonusDealer(
                    client, arrivals, spin, patience_s, spot=begins, choices=choices or chosen, make_up=make_up
                )
            elif game.seated:
                self.dealer = SeatedDealer(
                    client, arrivals, game, view.scene.follower.state, seed, patience_s, hand
                )
            else:
                self.dealer = Dealer(client, arrivals, spin, patience_s)
            self.dealer.settled = settled
            self._client, self._store, self._since = client, store, cursor
            self._stack = opened.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        with self._stack:
            if isinstance(error, KeyboardInterrupt):
                words = self._stop()
                self._anchor()
                raise stopped(error, words) from None
            if isinstance(error, WheelwrightError) and error.code not in DEALERS:
                with suppress(WheelwrightError):  # when the link has gone, or the log is full
                    words = self._stop()
                    if words != NONE_OPEN:
                        error.add(words)
            if error is None:
                self.dealer.catch_up()
                self._anchor()

    def _stop(self) -> str:
        words = self.dealer.stop()
        return words + ("; wheelwright play goes on with it" if "stays open" in words else "")

    def _anchor(self) -> None:
        if self._store is not None:
            anchor(self._client, self._store, self._since)
