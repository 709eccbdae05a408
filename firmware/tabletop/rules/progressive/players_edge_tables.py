"""Player's Edge 21: every printed table of 635c.2, exactly as printed."""

# 635c.2(g)(4): decks -> paytable -> odds "x to 1" of two suited matches, one suited and one unsuited match, one
# suited match, two unsuited matches, one unsuited match.
MATCH = {
    5: {"A": (18, 13, 9, 8, 4), "B": (24, 15, 12, 6, 3), "C": (26, 16, 13, 6, 3)},
    6: {"A": (18, 13, 9, 8, 4), "B": (24, 15, 12, 6, 3), "C": (26, 16, 13, 6, 3)},
    8: {"A": (18, 13, 9, 8, 4), "B": (24, 15, 12, 6, 3)},
}

# 635c.2(h): paytable -> percent of the progressive for four-of-a-kind (suited) and (same color); then "x for 1" of
# four-of-a-kind, three-of-a-kind (same color), three-of-a-kind, suited pair.
MONSTER = {
    "A": ((100, 10), (200, 20, 12, 3)),
    "B": ((100, 10), (200, 25, 10, 2)),
    "C": ((100, 100), (200, 20, 12, 3)),
    "D": ((100, 100), (200, 20, 10, 2)),
    "E": ((100, 100), (200, 25, 10, 2)),
}

# 635c.2(d)(2)(iii)(C): pool -> initial seed in $, reseed in $ (0: the reserve), primary and reserve increment in
# hundredths of a percent (0: not applicable).
POOLS = {
    "A": (5000, 0, 2200, 100), "B": (5000, 0, 2200, 100),
    "C": (1500, 1500, 1700, 0), "D": (1500, 1500, 1700, 0), "E": (1500, 1500, 1700, 0),
}  # fmt: skip
