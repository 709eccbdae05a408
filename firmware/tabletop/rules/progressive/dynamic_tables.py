"""Monster Match Dynamic: the printed table of 635b.3, exactly as printed."""

# 635b.3(h), Paytable Dynamic 1: base pay and the ten Dynamic Pays, all "x for 1", of four-of-a-kind (same color),
# four-of-a-kind, three-of-a-kind (same color), three-of-a-kind. Four-of-a-kind (suited) is 100 % of the meter.
DYNAMIC = (
    (500, (750, 1000, 1500, 2000, 2500, 3000, 3500, 4000, 4500, 5000)),
    (100, (150, 200, 300, 400, 500, 600, 700, 800, 900, 1000)),
    (10, (15, 20, 30, 40, 50, 60, 70, 80, 90, 100)),
    (4, (6, 8, 12, 16, 20, 24, 28, 32, 36, 40)),
)
DYNAMIC_METER = (10000, 1400, 400)  # 635b.3(i): times the wager; increment and reserve in hundredths of a percent
