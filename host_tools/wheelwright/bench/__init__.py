"""The technician's bench: guided tests of one table, and what their figures mean.

`capture` is what the sensors saw; `encoder`, `pegs` and `coast` judge it, `parts` the rest: numbers in, verdict out.
`session` asks the table (`probing`: its sensors) and the `technician`; `tests` says which tests there are, `running`
does them and keeps what they found.
"""
