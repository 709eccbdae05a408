"""Must-Hit-By Mystery bonus: the thirteen sections that hold it, and the twelve configurations that each prints."""

# Section -> the game, and the progressive wagers that qualify there, (c)(1).
CHAPTERS = {
    "639c.1": ("Caribbean Stud Poker", ("progressive payout",)),
    "641c.1": ("Four Card Poker", ("Four-Card progressive payout", "Five-Card progressive payout")),
    "643c.1": ("Let It Ride Poker", ("Three-Card progressive payout", "Five-Card progressive payout")),
    "645c.3": ("Pai Gow Poker", ("progressive payout",)),
    "647c.1": ("Texas Hold 'Em Bonus Poker", ("progressive payout",)),
    "649c.1": ("Three Card Poker", ("Three-Card progressive payout", "Five-Card progressive payout")),
    "653c.1": ("Ultimate Texas Hold 'Em Poker", ("progressive payout",)),
    "655c.1": ("Mississippi Stud", ("progressive payout",)),
    "657c.1": ("Crazy 4 Poker", ("Four-Card progressive payout", "Five-Card progressive payout")),
    "659c.1": ("Fortune Asia Poker", ("progressive payout",)),
    "670c.1": ("Six-Card Fortune Pai Gow Poker", ("progressive payout",)),
    "687c.1": ("DJ Wild Stud Poker", ("progressive bonus",)),
    "688c.1": ("Face Up Pai Gow Poker", ("progressive payout",)),
}

# (c)(4): (paytable, minimum wager in $) -> (minimum $, maximum $, contribution in hundredths of a percent).
CONFIGURATIONS = {
    ("A", 1): (100, 200, 200), ("A", 2): (100, 200, 150), ("A", 5): (100, 250, 100),
    ("B", 1): (100, 500, 500), ("B", 2): (100, 500, 350), ("B", 5): (100, 500, 200),
    ("C", 1): (250, 500, 200), ("C", 2): (250, 500, 150), ("C", 5): (250, 500, 50),
    ("D", 1): (250, 1000, 500), ("D", 2): (250, 1000, 300), ("D", 5): (250, 1000, 200),
}  # fmt: skip
