"""Every numbered error and tilt of the table, once: number, name, what happened, what to do.

`ERRORS` are answers to a refused command (`E-3001`); `TILTS` stop play and survive a restart
(`T-21`). Text may hold `{name}` fields filled from the detail that travels with the code. The
host's own errors (ports, files, databases) are in `wheelwright.errors`, in other number ranges.
Ranges: 1xxx link, 2xxx sensing, 3xxx wagers and rules, 4xxx table, 5xxx journal, 6xxx chance.
"""

# number: (name, what happened, what to do)
ERRORS = {
    1003: ("UNKNOWN_TYPE", "message type {type} is not known", "use the host tool of this firmware's version"),
    1004: ("BAD_PAYLOAD", "field {field} of {message} is missing or of a wrong type", "use the host tool of this firmware's version"),
    1005: ("NO_SESSION", "no session is open", "send HELLO first"),
    1007: ("TOO_LARGE", "the answer does not fit a frame of {limit} bytes", "ask for less"),
    1008: ("NOT_AUTHORISED", "the command needs the device key", "take a challenge and sign the command with the key of this table"),
    1009: ("SERVICE_KEY_OFF", "the command needs the service key switch", "turn the service key and try again"),
    1010: ("INCOMPATIBLE", "the host is {host} and this table is {table}", "use the host tool of the table's version"),
    1011: ("COMMAND_FAILED", "{command} failed in the table ({reason})", "note the text and call the maker"),
    1012: ("NO_SUCH_RECORD", "record {cursor} was asked for, the journal ends at {last}", "is this the right table?"),
    3001: ("NO_SUCH_SPOT", "there is no wager on {spot}", "wager on a spot of this table's layout"),
    3002: ("BELOW_MINIMUM", "a wager of {mills} mills is below the minimum of {limit}", "raise the wager"),
    3003: ("ABOVE_MAXIMUM", "a wager of {mills} mills is above the maximum of {limit}", "lower the wager"),
    3004: ("BAD_AMOUNT", "{mills} is not an amount of money", "give a positive whole number of mills (1/1000 dollar)"),
    3005: ("BAD_SEAT", "there is no seat {seat}", "use a seat from 1 to {limit}"),
    3006: ("BETS_CLOSED", "no more bets are taken in this round", "wait for the next round"),
    3007: ("CHOICE_EARLY", "seat {seat} chose before choices were asked for", "choose when the timer runs"),
    3008: ("CHOICE_LATE", "seat {seat} chose after the choices had closed", "the choice made or drawn in time stands"),
    3009: ("CHOICE_REPEATED", "seat {seat} has chosen {choice} already", "the first choice stands"),
    3010: ("CHOICE_IMPOSSIBLE", "{choice} cannot be chosen", "choose a whole number from 1 to {limit}"),
    3011: ("NOT_ELIGIBLE", "seat {seat} has no wager in this bonus game", "only seats that wagered on it take part"),
    3012: ("PRESS_OUT_OF_TURN", "the button of seat {seat} does nothing in phase {phase}", "press when the outer wheel is at rest and spins remain"),
    3021: ("WAGER_REPEATED", "seat {seat} has its progressive wager already", "one wager a seat counts; give the second one back"),
    3022: ("CHIPS_DIFFER", "{chips} chips were counted, but {accepted} progressive wagers were accepted", "count both again; the floorperson decides, or the round is voided"),
    3023: ("NO_SUCH_CARD", "{card} is no card of this game's decks of {size}", "enter rank and suit, such as AS or KD; 10H only where a deck has tens"),
    3024: ("CARD_TOO_OFTEN", "{card} lies on the table {count} times, but the shoe holds it {limit} times", "read the cards again; check the shoe if they are right"),
    3025: ("NO_PROGRESSIVE_WAGER", "seat {seat} has no progressive wager", "enter the cards of seats whose lamp is lit"),
    3026: ("HAND_REPEATED", "the hand of seat {seat} is known already", "declare a misdeal to enter all cards anew"),
    3027: ("NOT_NEXT", "the win of seat {seat} cannot be validated now", "validate the winning seats in their order; next: {next}"),
    3028: ("DEALER_VALIDATES", "{operator} dealt this round and cannot validate its wins", "have a floorperson or above validate them"),
    3029: ("CARDS_NUMBER", "{found} cards were entered, but {limit} are needed", "enter them as one text, such as AS 10H"),
    3030: ("NO_OPERATOR", "nobody is named", "enter the code of the person who does this"),
    3031: ("NO_SUCH_DIE", "{die} is no face of a die", "enter the red die and the two blue ones, each from 1 to 6"),
    3032: ("DECISION_IMPOSSIBLE", "seat {seat} cannot {what} with this hand", "see section 635c.2(f): doubles, redoubles and the rescue have their moments"),
    3033: ("DEALER_DRAWS", "{cards} is no complete hand of a dealer", "the dealer draws to 16 and on a soft 17, and then no more; enter all cards in their order"),
    3040: ("DICE_DIFFER", "the dice were read as {first}, then as {second}", "look at them again and enter them twice alike; if you cannot tell, shake again"),
    4001: ("WRONG_PHASE", "{command} is not possible in phase {phase}", "{advice}"),
    4002: ("TILTED", "play is stopped by tilt T-{tilt}", "see the tilt's advice, mend, then clear it in service"),
    4003: ("NO_ROOM", "the journal has room for {free} of the {need} records that a round may need", "connect the host tool and run: wheelwright log pull"),
    4004: ("TILT_STANDS", "tilt T-{tilt} cannot be cleared: {reason}", "mend that first, then clear the tilt"),
    4005: ("NO_SUCH_TILT", "tilt T-{tilt} is not open", "clear one of the open tilts: {open}"),
    4006: ("STAYS_IN_TEST", "an emulated table stays in test mode", "use a real table for live play"),
    4007: ("TOO_MANY_WAGERS", "{count} wagers came at once, the most is {limit}", "send them in several commands"),
    4008: ("ALREADY_VOID", "this spin is void already", "wait until the wheel rests, then spin again"),
    4009: ("BAD_VALUE", "{field} cannot be {value}", "give one of: {choice}"),
    4011: ("BAD_CONFIGURATION", "the configuration is refused as a whole: {reason}",
           "correct that value; the old configuration stays"),
    4012: ("NEEDS_SECOND", "record {record} was corrected before by {operator}",
           "name a second authoriser who is somebody else"),
    4013: ("NOT_IN_THIS_GAME", "{command} is not part of {game}", "use a command of the game that this table plays"),
    4010: ("ANCHOR_MISMATCH", "record {number} has another hash in this table", "the host's log is of another table, or damaged: verify it"),
}

# number: (name, what happened, what to do)
TILTS = {
    61: ("RNG_FAILED", "the random number generator failed: {test}",
         "no draw is made; have the noise source examined, then clear in service"),
    62: ("RNG_REPEATS", "draws came a second time: {reason}", "stop the table, pull the log and call the maker"),
    21: ("WHEEL_SENSORS", "the wheel's sensors disagreed in {count} spins one after another", "run the wheel test; check encoder coupling, clapper and index"),
    51: ("STORE_DAMAGED", "record {record} of the journal cannot be read back", "do not clear anything; pull a raw dump and call the maker"),
    52: ("JOURNAL_FULL", "the journal is full of records that no host has taken", "connect the host tool and run: wheelwright log pull"),
    53: ("JOURNAL_CONTRADICTS", "the journal and the rules do not agree: {reason}", "pull the log and call the maker"),
    41: ("TASK_DIED", "task {task} stopped: {reason}", "note the text and call the maker; play resumes after a restart and a clear"),
    42: ("PROGRAM_CHANGED", "the program is {found}, but {want} was approved on this table",
         "flash the approved firmware again, or approve this one: clear the tilt in service"),
    43: ("SELF_TEST_FAILED", "self-test {test} failed: {reason}", "mend the named part, then run the self-test again"),
}
