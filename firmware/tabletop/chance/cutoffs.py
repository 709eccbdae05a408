"""Cut-offs of the noise health tests, written by `python -m wheelwright.rng.cutoffs`: do not edit.

Thousandths of a bit of entropy a sample, repetition discard, fail, proportion discard, fail;
discard at a false alarm probability of 2^-30, fail at 2^-60.
"""

# window 1024; text, as tuples would take five times the memory
BINARY = """
100 301 601 999 1014
200 151 301 952 976
300 101 201 904 933
400 76 151 856 890
500 61 121 810 847
600 51 101 766 805
700 44 87 723 764
800 39 76 683 725
900 35 68 645 688
1000 31 61 609 652
"""

# window 512; text, as tuples would take five times the memory
BYTES = """
500 61 121 422 447
1000 31 61 325 355
2000 16 31 190 220
3000 11 21 114 139
4000 9 16 71 91
5000 7 13 46 62
6000 6 11 31 44
7000 6 10 22 32
8000 5 9 16 25
"""
