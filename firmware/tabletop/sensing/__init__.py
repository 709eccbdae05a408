"""Sensing: encoder counts, index and clapper edges in, one `Spin` out when the wheel has come to rest.

Nothing here reads a clock or a pin: times (ticks of microseconds) and counts are handed in, and nothing
is allocated per edge or tick. A section is declared only when three sensors have told the same story for
the whole spin; what each of them can prove is said in its module (`pegs`, `homing`, `brake`), what none
of them can is in docs/decisions/0010-what-the-sensors-prove.md.

Words: a *line* is where a peg stands, line k at count k * counts_per_turn / sections. Section k lies
between line k and line k + 1; both are counted on over the turns (line 54 is line 0, one turn on).
"""
