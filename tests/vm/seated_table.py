"""A whole round of any wager on cards or dice on a made-up table: players, dealer, floorperson, sensors and keys."""

from binascii import hexlify

from tabletop.digest import hmac_sha256
from tabletop.link import schema

try:
    from tests.vm.dealer import DEVICE_KEY, Dealer, Flash, sign
except ImportError:  # on the VM this folder itself is on the path
    from dealer import DEVICE_KEY, Dealer, Flash, sign

RESET_KEY = 16
# A round with a win of each wager: what is wagered [seat, spot, mills], and what is entered after "no more bets".
ROUNDS = {
    "match_the_dealer": (
        [[1, "Match the Dealer", 1000], [3, "Match the Dealer", 1000], [7, "Match the Dealer", 1000]],
        [["chips", 3, "D1"], ["hand", 1, "AS AS"], ["hand", 3, "3S 4S"], ["hand", 7, "AS AH"], ["dealt", "AS"],
         ["validate", 1, "F1"], ["documented", 1], ["validate", 7, "F1"]],
    ),
    "monster_match": (
        [[1, "Monster Match", 5000], [2, "Monster Match", 5000]],
        [["chips", 2, "D1"], ["hand", 1, "KD KD"], ["hand", 2, "KS KS"], ["dealt", "KD KD"], ["validate", 1, "F1"],
         ["validate", 2, "F1"], ["documented", 1]],
    ),
    "monster_dynamic": (
        [[1, "Monster Match Dynamic", 1000], [2, "Monster Match Dynamic", 1000]],
        [["chips", 2, "D1"], ["hand", 1, "KD KD"], ["hand", 2, "KS 2S"], ["dealt", "KD KD"], ["validate", 1, "F1"],
         ["documented", 1], ["validate", 2, "F1"]],
    ),
    "must_hit_by": (
        [[1, "progressive payout", 5000], [2, "progressive payout", 5000]],
        [["chips", 2, "D1"], ["validate", 1, "F1"], ["documented", 1]],
    ),
    "players_edge": (
        [[seat, "Player's Edge 21", 5000] for seat in (1, 2, 3)],
        [["hand", 1, "7S 7S"], ["hand", 2, "5S 6S"], ["hand", 3, "KS 7H"], ["card", 1, "7S"],
         ["double", 2, 5000, "2S"], ["rescue", 2], ["dealer", "7D KH"]],
    ),
    "match_up_down": (
        [[1, "Match-Up", 1000], [1, "Match-Down", 1000]],
        [["hand", 1, "KD 3S"], ["dealt", "KH"], ["hole", "3S"]],
    ),
    "pai_gow": ([[1, "Pai Gow Poker", 5000], [2, "Tiger 9", 1000]], [["low", "9S 4H"]]),
    "dice": ([[1, "Sum", 1000], [2, "Match 1", 1000], [7, "Beat It", 1000]], [["dice", 6, 1, 1]]),
}  # fmt: skip
METERED = ("match_the_dealer", "monster_match", "monster_dynamic", "must_hit_by")


def table_of(game, sectors=24, **how):
    """A table that plays `game`, live."""
    return Dealer(Flash(sectors), game=game, **how)


def give(dealer, *given):
    """One input of dealer, floorperson or host: the reply."""
    if given[0] == "validate":
        return dealer.send("GIVE", given=list(given), mac=code_of(given[2]))
    return dealer.send("GIVE", given=list(given))


def code_of(operator, key=DEVICE_KEY):
    """The code of a floorperson, as it is sent."""
    data = schema.to_sign(b"", schema.number_of("GIVE"), {"operator": operator.lower()})
    return hexlify(hmac_sha256(key, data)[:4])


def award(dealer, *given, key=DEVICE_KEY, meter=b"house"):
    """The arguments of the GIVE with which a host names a share, signed for the claim that the seat has made."""
    args = {"given": ["award"] + list(given)}
    nonce = b""
    for kind, told in dealer.records():
        if kind == "GIVEN" and "nonce" in told and told["given"][1] == given[0]:
            nonce = told["nonce"]
    args["mac"] = hmac_sha256(key, schema.to_sign(nonce + meter, schema.number_of("GIVE"), args))
    return args


def told(dealer, mills, key=DEVICE_KEY, **other):
    """The arguments of a LINKED, signed: what the host of the linked meter says it shows."""
    settings = dealer.table.settings
    args = {"meter": "house", "mills": mills, "test": False, "parameters": settings.game.parameters(settings.rules)}
    args.update(other)
    nonce = dealer.send("LINKED", **args)["nonce"]
    args["mac"] = hmac_sha256(key, schema.to_sign(nonce, schema.number_of("LINKED"), args))
    return args


def chip(dealer, seat, on=True):
    """A chip is laid on a wager sensor, or taken off."""
    bit = 128 << seat
    dealer.hal.inputs.bits = dealer.hal.inputs.bits | bit if on else dealer.hal.inputs.bits & ~bit
    dealer.tick()


def closed(dealer, bets=None):
    """A round whose bets are closed; with those of ROUNDS unless others are named."""
    game = dealer.table.settings.game.NAME
    dealer.send("OPEN_BETS")
    dealer.send("WAGER", bets=[list(bet) for bet in (ROUNDS[game][0] if bets is None else bets)])
    dealer.send("NO_MORE_BETS")


def act(dealer):
    """The next thing that people do to an open round of ROUNDS, wherever it stands; its result is settled."""
    game = dealer.table.settings.game.NAME
    round_ = dealer.table.play.round
    if dealer.phase == "RESULT":
        dealer.send("SETTLE")
    elif dealer.phase == "BETS_OPEN":
        if not round_.state["bets"]:
            dealer.tick()  # a hidden value is chosen first
            dealer.send("WAGER", bets=[list(bet) for bet in ROUNDS[game][0]])
        else:
            dealer.send("NO_MORE_BETS")
    else:
        number = round_.number
        given = [told["given"] for kind, told in dealer.records() if kind == "GIVEN" and told["round"] == number]
        left = [one for one in ROUNDS[game][1] if one not in given]
        give(dealer, *left[0])


def finish(dealer):
    """Plays the open round to its end: the SETTLED record."""
    for _ in range(60):
        if dealer.table.play.round is None:
            return dealer.last("SETTLED")
        act(dealer)
    raise AssertionError("the round does not end")


def meter(dealer):
    """The meter that the table keeps."""
    return dealer.last("METER")["meter"]


def reset(dealer, keys=True, **args):
    """The arguments of a RESET_METER, signed, with the service key and, unless `keys` is False, the meter's own."""
    dealer.pass_time(6000)  # a settled round is shown for a while
    dealer.key(True)
    if keys:
        dealer.hal.inputs.bits |= RESET_KEY
        dealer.tick()
    return sign(dealer, "RESET_METER", reason="wrong after a repair", operator="ann", **args)


def last_refusal(dealer):
    """(given, code) of the newest REFUSED record."""
    refused = dealer.last("REFUSED")
    return refused["given"], refused["code"]


def configured(dealer, **settings):
    """The table is set to other settings of its game."""
    settings["game"] = dealer.table.settings.game.NAME
    dealer.table.configure(settings)
