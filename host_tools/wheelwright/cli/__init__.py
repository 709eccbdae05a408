"""The command `wheelwright`: arguments in, one sentence and an exit code out; the work is done elsewhere."""


def main() -> int:
    """Run the tool with the arguments of the process and return its exit code; no exception leaves it."""
    try:
        from wheelwright.cli.ending import run_to_the_end

        return run_to_the_end()
    except KeyboardInterrupt:  # Ctrl-C while the tool was still being loaded
        return 130
