"""The command `wheelwright`: arguments in, one sentence and an exit code out; the work is done elsewhere.

This module imports nothing, so that `main` is reached at once: from its first line on Ctrl-C is answered in words.
"""


def main() -> int:
    """Run the tool with the arguments of the process and return its exit code; no exception leaves it."""
    try:
        import signal

        signal.signal(signal.SIGTERM, _leave)
        signal.signal(signal.SIGINT, _leave)  # until a command begins: a library half loaded would answer with its own
        from wheelwright.cli.ending import run_to_the_end

        return run_to_the_end()
    except KeyboardInterrupt:
        return _leave()


def _leave(number: int = 2, *_: object) -> int:
    import os

    os.write(2, b"E-9902 stopped by Ctrl-C: nothing was done\n" if number == 2 else
             b"E-9903 stopped by another program (SIGTERM): nothing was done\n")  # fmt: skip
    os._exit(128 + number)
