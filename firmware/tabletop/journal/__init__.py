"""The journal: a ring of hash-chained records on raw flash that no power cut can hurt.

In: a kind, a CBOR payload and the uptime; out: the record's number, when it is committed. It never
erases a record that no host has anchored, never erases anything while the wheel may turn, and never
programs a page twice. `docs/journal-format.md` describes bytes, commit rule and recovery.
"""
