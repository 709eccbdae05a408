"""Player's Edge 21 and Monster Match Dynamic: every printed table of 635c.2 and 635b.3, exactly as printed."""

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

# 635b.3(h), Paytable Dynamic 1: base pay and the ten Dynamic Pays, all "x for 1", of four-of-a-kind (same color),
# four-of-a-kind, three-of-a-kind (same color), three-of-a-kind. Four-of-a-kind (suited) is 100 % of the meter.
DYNAMIC = (
    (500, (750, 1000, 1500, 2000, 2500, 3000, 3500, 4000, 4500, 5000)),
    (100, (150, 200, 300, 400, 500, 600, 700, 800, 900, 1000)),
    (10, (15, 20, 30, 40, 50, 60, 70, 80, 90, 100)),
    (4, (6, 8, 12, 16, 20, 24, 28, 32, 36, 40)),
)
DYNAMIC_METER = (10000, 1400, 400)  # 635b.3(i): times the wager; increment and reserve in hundredths of a percent
