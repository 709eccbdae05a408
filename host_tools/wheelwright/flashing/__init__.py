"""Boards: images and modules onto them, their prompt, their identity."""
