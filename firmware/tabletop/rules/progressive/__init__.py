"""Side wagers of table games, progressive ones above all: cards, dice, meters and what a seat wins; pure.

In: a round's state with its meter (plain dicts that CBOR can hold) and one input. Out: the next state and the effects
in the order in which the dealer does them. Money is integer mills, rates are in hundredths of a percent. A meter never
goes down but by a win or a recorded correction, and no contribution is lost below a mill. No table plays these yet:
nothing outside of this package may import it.
"""
