"""The main wager of Player's Edge 21, 58 Pa. Code 635c.2(b) and (e) to (g): doubles, rescue, soft 17 and what wins.

BETS -> BEGIN -> DONE, or VOID. `hands` are [[seat, cards, total wager, doubles, state]], state PLAYED until BUST or
RESCUED. What chapter 635a decides is not held: its odds are settings, and split pairs are not played.
"""

from tabletop.rules import stakes, weights
from tabletop.rules.progressive import cards, pays, system
from tabletop.rules.progressive.match_up_down import DECKS, shoe_of

NAME = "players_edge"
SPOTS = ("Player's Edge 21",)
PLAYED, BUST, RESCUED = "PLAYED", "BUST", "RESCUED"
DOUBLES = 3  # (f)(3): "may only double 3x on each hand"
DIAMONDS = (3, 1)  # (g)(2)(i) and (ii): 6-7-8 and 7-7-7 of diamonds, not spades
SHARES = (50000, 100000)  # (g)(3)(i)(A) and (B): mills, without and with a seven in the first two cards
INSURANCE = ((pays.TO, 2, 1), (pays.TO, 5, 1))  # (b)(1): non-suited and suited dealer Blackjack
_SEVENS, _SIX_TO_EIGHT = ["7", "7", "7"], ["6", "7", "8"]

# `odds`: of 635a.12(a) and (b), as [x, y] for x to y. `super_bonus`: of 635a.12(c), as [[original wager from, award]
# in mills, ...]. Both chapters are not held; no file is complete without them.
DEFAULTS: dict = {
    "decks": 6, "min_mills": 5000, "max_mills": 500000, "seats": 7, "super_bonus": [[5000, 1000000]],
    "odds": {
        "win": [1, 1], "Blackjack": [3, 2], "6-7-8": [3, 2], "6-7-8 suited": [2, 1], "7-7-7": [3, 2],
        "7-7-7 suited": [2, 1], "21 of five cards": [3, 2], "21 of six cards": [2, 1], "21 of seven cards": [3, 1],
    },
}  # fmt: skip
EXAMPLES = ("super_bonus", "odds")


def layout_hash() -> bytes:
    """Names the wager."""
    return stakes.fingerprint(NAME, SPOTS)


def paytable_hash() -> bytes:
    """Names what the section itself fixes in the pay."""
    return stakes.fingerprint(NAME, DIAMONDS, SHARES, INSURANCE, DOUBLES)


def validate(settings: dict) -> None:
    """ValueError, naming place, value and limit, unless `settings` has DEFAULTS' keys with usable values."""
    system.check_keys(settings, DEFAULTS)
    system.one_of("decks", settings["decks"], DECKS)
    system.check_limits(settings)
    last = 0
    weights.listed("super_bonus", settings["super_bonus"], 0, 8)
    for step_of in settings["super_bonus"]:
        weights.listed("super_bonus: a wager with its award", step_of, 2, 2)
        weights.whole("super_bonus: a wager", step_of[0], last + 1, system.TOP_MILLS)
        weights.whole("super_bonus: an award", step_of[1], 1, system.TOP_MILLS)
        last = step_of[0]
    if not isinstance(settings["odds"], dict) or sorted(settings["odds"]) != sorted(DEFAULTS["odds"]):
        raise ValueError("odds must hold %s" % ", ".join(sorted(DEFAULTS["odds"])))
    for name in sorted(settings["odds"]):
        weights.listed("odds of " + name, settings["odds"][name], 2, 2)
        for number in settings["odds"][name]:
            weights.whole("odds of " + name, number, 1, 1000)


def new(round_number: int, settings: dict) -> dict:
    """A round that takes wagers. `settings` are complete and kept by reference."""
    state = stakes.opened(NAME, round_number, settings)
    state["hands"], state["dealt"] = [], []
    return state


def step(state: dict, given: tuple, draws=None) -> "tuple[dict, list]":  # noqa: ARG001
    """The next state and the effects of one input.

    inputs : ("wager", seat, spot, mills) ("no_more_bets",) ("hand", seat, "AS KH") ("card", seat, "5D")
             ("double", seat, mills, "5D") ("rescue", seat) ("dealer", "6S KD 5H": upcard first) ("void", reason)
    effects: ("points", seat, points) ("lose", seat, spot, mills) ("return", seat, spot, mills) ("push", seat, ...)
             ("paid", seat, result, stake, mills handed, INVENTORY) ("super bonus", seat, mills, whose)
    """
    what = given[0]
    if what == "hand":
        return hand(state, given[1], given[2])
    if what == "card":
        return card(state, given[1], given[2])
    if what == "double":
        return double(state, given[1], given[2], given[3])
    if what == "rescue":
        return rescue(state, given[1])
    if what == "dealer":
        return dealer(state, given[1])
    return stakes.take(state, given, SPOTS)


def points(some: list) -> "tuple[int, bool]":
    """The point count of a hand, and whether it is soft: an ace counts 11 where that is 21 or less."""
    hard = 0
    for one in some:
        rank = cards.rank(one)
        hard += 1 if rank == "A" else 10 if rank in ("10", "J", "Q", "K") else int(rank)
    if hard <= 11 and [one for one in some if cards.rank(one) == "A"]:
        return hard + 10, True
    return hard, False


def draws_again(some: list) -> bool:
    """(b)(2), (e)(1)(iv) The dealer draws to 16 and on a soft 17."""
    total, soft = points(some)
    return total < 17 or (total == 17 and soft)


def blackjack(some: list) -> bool:
    """An ace with a card of ten points as the first two cards."""
    return len(some) == 2 and points(some)[0] == 21


def insurance(dealt: list) -> "tuple | None":
    """(b)(1) What insurance pays on a dealer's first two cards; None when they are no Blackjack."""
    if not blackjack(dealt):
        return None
    return INSURANCE[1] if cards.suit(dealt[0]) == cards.suit(dealt[1]) else INSURANCE[0]


def hand(state: dict, seat: int, text: str) -> "tuple[dict, list]":
    """The first two cards of a seat."""
    if state["phase"] != "BEGIN":
        return state, [system.early(state, "a hand", "close the wagers first")]
    found, refused = system.read_hand(state, seat, text, 2, shoe_of(state["settings"]))
    if refused:
        return state, [refused]
    after = dict(state)
    after["hands"] = sorted(state["hands"] + [[seat, found, _original(state, seat), 0, PLAYED]])
    return after, [("points", seat, points(found)[0])]


def card(state: dict, seat: int, text: str) -> "tuple[dict, list]":
    """One more card for a hand that was not doubled."""
    at, refused = _playing(state, seat)
    if not refused and (state["hands"][at][3] or points(state["hands"][at][1])[0] == 21):
        refused = ("refuse", 3032, {"seat": seat, "what": "take a card"})
    if refused:
        return state, [refused]
    return _drawn(state, at, text, 0)


def double(state: dict, seat: int, mills: int, text: str) -> "tuple[dict, list]":
    """(f)(1) A Double Down on two or more cards, except on Blackjack, of at most the original wager, and one more card.

    (2) and (3) Immediately after it the wager is redoubled, twice at most: up to 8 times the original wager.
    """
    at, refused = _playing(state, seat)
    if not refused and (state["hands"][at][3] == DOUBLES or blackjack(state["hands"][at][1])):
        refused = ("refuse", 3032, {"seat": seat, "what": "double"})
    if refused:
        return state, [refused]
    total, doubles = state["hands"][at][2:4]
    if type(mills) is not int or mills <= 0:
        return state, [("refuse", 3004, {"mills": mills})]
    if mills > total:
        return state, [("refuse", 3003, {"mills": mills, "limit": total})]
    if doubles and mills < total:
        return state, [("refuse", 3002, {"mills": mills, "limit": total})]
    return _drawn(state, at, text, mills)


def rescue(state: dict, seat: int) -> "tuple[dict, list]":
    """(f)(6) After the card of the first or second double, not in excess of 21: half goes back, half is forfeited."""
    at, refused = _playing(state, seat)
    if not refused and state["hands"][at][3] not in (1, 2):
        refused = ("refuse", 3032, {"seat": seat, "what": "rescue"})
    if refused:
        return state, [refused]
    total = state["hands"][at][2]
    after = _changed(state, at, state["hands"][at][1], total, state["hands"][at][3], RESCUED)
    return after, [("lose", seat, SPOTS[0], total // 2), ("return", seat, SPOTS[0], total - total // 2)]


def dealer(state: dict, text: str) -> "tuple[dict, list]":
    """(e)(1)(iii)(C) and (iv) The dealer's hand, drawn as the rules say; then (g) every hand is settled."""
    missing = [bet[0] for bet in state["bets"] if bet[0] not in [entry[0] for entry in state["hands"]]]
    if state["phase"] != "BEGIN" or missing:
        return state, [system.early(state, "the dealer's hand", "enter the hands of all seats first")]
    found, refused = system.read(state, text, max(len(text.split()), 2), shoe_of(state["settings"]))
    if refused:
        return state, [refused]
    live = [entry for entry in state["hands"] if entry[4] == PLAYED]
    early = [n for n in range(2, len(found)) if not draws_again(found[:n])]
    if early or (live and draws_again(found)):
        return state, [("refuse", 3033, {"cards": text})]
    after = dict(state)
    after["dealt"] = found
    after["phase"] = "DONE"
    losers: list = []
    winners: list = []
    for entry in live:
        effects, wins = settle(after, entry)
        if wins:
            winners += effects
        else:
            losers += effects
    return after, losers + winners + super_bonus(after) + [("done",)]


def settle(state: dict, entry: list) -> "tuple[list, bool]":
    """(g)(1) One hand against the dealer's: its effects, and whether it wins.

    (i) the dealer is above 21, (ii) the hand is higher, (iii) Blackjack or 21 win whatever the dealer has. (f)(4) A
    dealer's Blackjack takes the original wager only. An equal hand is a push, as chapter 635a has it.
    """
    seat, some, total, doubles, _state = entry
    mine, theirs = points(some)[0], points(state["dealt"])[0]
    if mine == 21 or theirs > 21 or mine > theirs:
        result, odds = odds_of(state["settings"], some, doubles)
        handed = pays.handed((pays.TO, odds[0], odds[1]), total, True)
        return [("paid", seat, result, total, handed, system.INVENTORY)], True
    if blackjack(state["dealt"]) and doubles:
        original = _original(state, seat)
        return [("lose", seat, SPOTS[0], original), ("return", seat, SPOTS[0], total - original)], False
    return [("push" if mine == theirs else "lose", seat, SPOTS[0], total)], False


def odds_of(settings: dict, some: list, doubles: int) -> "tuple[str, tuple]":
    """(g)(2) The odds of a winning hand; (f)(5) those of 635a.12(a) alone where it was doubled."""
    odds = settings["odds"]
    name = "win"
    if not doubles:
        name = kind_of(some)
        if name in ("6-7-8 suited", "7-7-7 suited") and cards.suit(some[0]) == "D":
            return name + ", diamonds", DIAMONDS  # (i) and (ii)
    return name, tuple(odds[name])


def kind_of(some: list) -> str:
    """Which of the hands with odds of their own it is: a Blackjack, a 21 of certain cards or of so many; else "win"."""
    if blackjack(some):
        return "Blackjack"
    if points(some)[0] != 21:
        return "win"
    ranks = sorted([cards.rank(one) for one in some])
    suited = " suited" if len(set([cards.suit(one) for one in some])) == 1 else ""
    if ranks == _SIX_TO_EIGHT:
        return "6-7-8" + suited
    if ranks == _SEVENS:
        return "7-7-7" + suited
    if len(some) >= 5:
        return "21 of %s cards" % ("five", "six", "seven")[min(len(some), 7) - 5]
    return "win"


def super_bonus(state: dict) -> list:
    """(g)(3) 7-7-7 of a suit against a dealer's seven: the award by the original wager, and (i) all others' shares."""
    effects: list = []
    if cards.rank(state["dealt"][0]) != "7":
        return effects
    for seat, some, _total, doubles, _state in state["hands"]:
        original = _original(state, seat)
        awards = [award for low, award in state["settings"]["super_bonus"] if original >= low]
        if doubles or kind_of(some) != "7-7-7 suited" or not awards:
            continue
        effects.append(("super bonus", seat, awards[-1], seat))
        for other in state["hands"]:
            if other[0] != seat:
                seven = "7" in [cards.rank(one) for one in other[1][:2]]
                effects.append(("super bonus", other[0], SHARES[seven], seat))
    return effects


def _original(state: dict, seat: int) -> int:
    return [bet[2] for bet in state["bets"] if bet[0] == seat][0]


def _playing(state: dict, seat: int) -> "tuple[int, tuple | None]":
    """The place of a hand that is still played, and why there is none."""
    at = [n for n in range(len(state["hands"])) if state["hands"][n][0] == seat]
    if state["phase"] != "BEGIN" or not at:
        return -1, system.early(state, "a decision of seat %s" % seat, "enter the hand of that seat first")
    if state["hands"][at[0]][4] != PLAYED:
        return -1, ("refuse", 3032, {"seat": seat, "what": "go on"})
    return at[0], None


def _drawn(state: dict, at: int, text: str, mills: int) -> "tuple[dict, list]":
    """A hand with one more card, and `mills` more on it where it was doubled; above 21 it loses at once."""
    found, refused = system.read(state, text, 1, shoe_of(state["settings"]))
    if refused:
        return state, [refused]
    seat, some, total, doubles, _state = state["hands"][at]
    some = some + found
    total += mills
    reached = points(some)[0]
    after = _changed(state, at, some, total, doubles + (1 if mills else 0), BUST if reached > 21 else PLAYED)
    effects: list = [("points", seat, reached)]
    return after, effects + [("lose", seat, SPOTS[0], total)] if reached > 21 else effects


def _changed(state: dict, at: int, some: list, total: int, doubles: int, how: str) -> dict:
    after = dict(state)
    after["hands"] = list(state["hands"])
    after["hands"][at] = [state["hands"][at][0], some, total, doubles, how]
    return after
