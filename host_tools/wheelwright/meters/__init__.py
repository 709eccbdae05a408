"""Linked meters: tables of one house add to one progressive meter, which the host keeps.

In come the records of the tables' journals, in their order; out go the meter's value for the displays and, for a win,
its amount. Every contribution and every win has the identity (table serial number, journal record number), and the
journal of each table is followed by a cursor that moves in the same transaction as the meter: nothing is taken twice,
nothing is passed over, whatever drops out and when. `ledger` is pure, `books` the database, `reading` what a record
means, `house` the tables on their links. Nothing here draws a chance or knows a hidden value.
"""
