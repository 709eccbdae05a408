"""Match the Dealer: the paytables of 635c.1(i) and 685c.1(i), exactly as printed, as odds "x to 1".

Columns are Paytable 1 to 10, rows: one non-suited and one suited match, one suited match, two non-suited matches, one
non-suited match. The two rows above them are the same in all: 100 % and 10 % of the progressive.
"""

ODDS = {
    "635c.1": {  # Spanish 21
        6: (
            (8, 11, 75, 50, 11, 12, 10, 13, 75, 11),
            (5, 9, 4, 4, 8, 9, 6, 10, 5, 7),
            (6, 4, 25, 15, 6, 6, 8, 6, 15, 8),
            (3, 2, 2, 3, 3, 3, 4, 3, 3, 4),
        ),
        8: (
            (8, 11, 12, 10, 50, 100, 9, 12, 10, 13),
            (5, 9, 10, 7, 4, 4, 5, 9, 6, 10),
            (6, 4, 4, 6, 15, 20, 8, 6, 8, 6),
            (3, 2, 2, 3, 3, 2, 4, 3, 4, 3),
        ),
    },
    "685c.1": {  # Down Under Blackjack
        6: (
            (12, 10, 8, 75, 12, 13, 11, 100, 15, 13),
            (10, 7, 4, 4, 9, 10, 7, 5, 12, 9),
            (4, 6, 8, 15, 6, 6, 8, 20, 6, 8),
            (2, 3, 4, 3, 3, 3, 4, 3, 3, 4),
        ),
        8: (
            (9, 12, 8, 75, 12, 10, 13, 14, 100, 15),
            (6, 10, 4, 4, 9, 6, 10, 11, 5, 12),
            (6, 4, 8, 15, 6, 8, 6, 6, 20, 6),
            (3, 2, 4, 3, 3, 4, 3, 3, 3, 3),
        ),
    },
}
