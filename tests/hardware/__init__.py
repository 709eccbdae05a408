"""Tests on a real board, `--port`; with `--rig`, a second board on its pins and its power. No board, no tests."""
