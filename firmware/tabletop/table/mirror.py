"""A wheel whose encoder counts against it: every count is turned round on its way to the sensor."""


class Mirror:
    """Stands between wheel (or probe) and sensor. Count c is the interval from c to c + 1, so -1 - c is its mirror."""

    def __init__(self, table) -> None:
        self.table = table

    def encoder(self, t_us: int, count: int) -> None:
        self.table.sensor.encoder(t_us, ~count)

    def index(self, t_us: int, count: int, level: int) -> None:
        self.table.sensor.index(t_us, ~count, level)

    def peg(self, t_us: int, count: int, level: int) -> None:
        self.table.sensor.peg(t_us, ~count, level)

    def illegal(self, t_us: int, n: int) -> None:
        self.table.sensor.illegal(t_us, n)
