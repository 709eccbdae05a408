"""The table itself: one state machine between wheel, buttons, lamps, journal and link.

In: what the hardware layer hands over each tick, and the link's commands. Out: journal records, and only after
these replies, lamps and digits. It must never show what is not yet in the journal, never give a spin two results,
and never play on when a part has failed.
"""
