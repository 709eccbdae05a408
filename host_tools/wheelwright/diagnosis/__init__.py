"""What do the symptoms mean? Journal, counters and a live look give a ranking of likely causes, with evidence.

`clues` turns evidence into clues, `ranking` clues into suspects: pure. `evidence` collects it from a table or a log.
"""
