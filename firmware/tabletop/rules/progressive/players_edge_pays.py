"""What the hands of Player's Edge 21 are worth, 58 Pa. Code 635c.2(b) and (g): points, odds, super bonus."""

from tabletop.rules.progressive import cards, pays

SPOT = "Player's Edge 21"
DIAMONDS = (3, 1)  # (g)(2)(i) and (ii): 6-7-8 and 7-7-7 of diamonds, not spades
SHARES = (50000, 100000)  # (g)(3)(i)(A) and (B): mills, without and with a seven in the first two cards
INSURANCE = ((pays.TO, 2, 1), (pays.TO, 5, 1))  # (b)(1): non-suited and suited dealer Blackjack
_SEVENS, _SIX_TO_EIGHT = ["7", "7", "7"], ["6", "7", "8"]


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
        return [("paid", seat, result, total, handed, pays.INVENTORY)], True
    if blackjack(state["dealt"]) and doubles:
        wagered = original(state, seat)
        return [("lose", seat, SPOT, wagered), ("return", seat, SPOT, total - wagered)], False
    return [("push" if mine == theirs else "lose", seat, SPOT, total)], False


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
        wagered = original(state, seat)
        awards = [award for low, award in state["settings"]["super_bonus"] if wagered >= low]
        if doubles or kind_of(some) != "7-7-7 suited" or not awards:
            continue
        effects.append(("super bonus", seat, awards[-1], seat))
        for other in state["hands"]:
            if other[0] != seat:
                seven = "7" in [cards.rank(one) for one in other[1][:2]]
                effects.append(("super bonus", other[0], SHARES[seven], seat))
    return effects


def original(state: dict, seat: int) -> int:
    """The original wager of a seat, in mills."""
    return [bet[2] for bet in state["bets"] if bet[0] == seat][0]
