"""Is the wheel in balance? Spins of a log come in; what they show, and what so many can show, goes out in words.

Nothing here ever says that a wheel is fair: no number of spins shows that. `docs/balance.md` has the method.
"""
