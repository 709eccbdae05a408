"""The firmware as a virtual table runs it: linked and compiled."""
