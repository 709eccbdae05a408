"""The one place where an error, Ctrl-C or a fault of the tool becomes one sentence and an exit code."""

import errno
import os
import signal
import sys
import time
import traceback
from types import FrameType, ModuleType

from wheelwright import __version__, interrupt, terminal
from wheelwright.addresses import shown
from wheelwright.errors import WheelwrightError

DEBUG = "WHEELWRIGHT_DEBUG"  # set to 1: show tracebacks and the last frames of the link on standard error
BROKEN_PIPE = 141  # as a shell reports a program whose reader went away
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
_asked: KeyboardInterrupt | None = None  # Ctrl-C was pressed, or a program asked for the end


def run_to_the_end() -> int:
    """Run the command of `sys.argv` as the program itself; returns the exit code and never raises."""
    terminal.prepare_streams()
    _commands()  # the slow part, in which Ctrl-C simply ends the process
    for number in interrupt.SIGNALS:
        signal.signal(number, _interrupt)  # a shell may have had it ignored for us
    status = outcome()
    for number in interrupt.SIGNALS:
        signal.signal(number, signal.SIG_IGN)  # nothing is left to stop
    try:
        sys.stdout.flush()
    except OSError:  # its reader went away or its disk is full: Python would say so once more
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return status


def outcome() -> int:
    """Run the command of `sys.argv`; whatever happens becomes one sentence and the exit code that is returned."""
    interrupt.asked.clear()
    try:
        status = _run()
        sys.stdout.flush()
        return status
    except WheelwrightError as error:
        return BROKEN_PIPE if isinstance(error.__cause__, BrokenPipeError) else _say(error)
    except KeyboardInterrupt as wish:
        return _say(interrupt.stopped(wish, "what was received so far is kept"))
    except BrokenPipeError:
        return BROKEN_PIPE
    except SystemExit as ended:  # Typer's answer to a broken pipe, among others
        if isinstance(ended.__context__, BrokenPipeError):
            return BROKEN_PIPE
        return ended.code if isinstance(ended.code, int) else 0
    except OSError as error:
        if error.filename is None and error.errno not in _FULL:
            return _unexpected(error)
        place = "the output" if error.filename is None else error.filename
        return _say(WheelwrightError(9004, path=place, reason=error.strerror or str(error)))
    except Exception as error:  # the last line of defence
        if _asked:  # a library that was just being loaded makes another error of it
            return _say(interrupt.stopped(_asked, "nothing was done"))
        return _unexpected(error)


def _commands() -> ModuleType:
    from wheelwright.cli import app

    return app


def _run() -> int:
    commands = _commands()
    try:
        result = commands.app(prog_name="wheelwright", standalone_mode=False)
    except Exception as error:
        if not commands.is_usage_error(error):
            raise
        return _usage(error)
    if result == 130:  # Typer turns Ctrl-C into this exit code
        raise interrupt.asked[-1] if interrupt.asked else KeyboardInterrupt
    return result if isinstance(result, int) else 0


def _interrupt(number: int, _frame: FrameType | None) -> None:
    global _asked
    _asked = interrupt.wish(number)
    raise _asked


def _usage(error: Exception) -> int:
    if type(error).__name__ == "NoArgsIsHelpError":
        error.show()  # type: ignore[attr-defined]
        return 2
    context = getattr(error, "ctx", None)
    command = context.command_path if context else "wheelwright"
    reason = error.format_message().rstrip(".")  # type: ignore[attr-defined]
    return _say(WheelwrightError(9000, reason=reason, command=command))


def _say(error: WheelwrightError) -> int:
    try:
        print(error, file=sys.stderr, flush=True)
        if os.environ.get(DEBUG):
            print(*getattr(error, "__notes__", ()), sep="\n", file=sys.stderr)  # the last frames of a link that ended
        if "--json" in sys.argv:
            label = f"E-{error.code}"
            terminal.print_json({
                "error": {"code": label, "name": error.name, "what": error.what, "advice": error.advice}
            })
    except BrokenPipeError:
        return BROKEN_PIPE
    except OSError:  # nobody is left to tell
        pass
    return error.exit_code


def _unexpected(error: Exception) -> int:
    reason = f"{type(error).__name__}: {error}".splitlines()[0]
    if os.environ.get(DEBUG):
        traceback.print_exc()
        return _say(WheelwrightError(9901, reason=reason, details="the lines above"))
    import tempfile  # it brings more with it than all of the start of the tool

    name = f"wheelwright-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}.txt"
    path = os.path.join(tempfile.gettempdir(), name)
    try:
        with open(path, "w", encoding="utf-8") as file:
            words = [shown(word) for word in sys.argv]
            file.write(f"wheelwright {__version__}, Python {sys.version}, {sys.platform}\n{words}\n")
            traceback.print_exception(error, file=file)
    except OSError as failed:
        path = f"what WHEELWRIGHT_DEBUG=1 shows (no details file: {failed})"
    return _say(WheelwrightError(9901, reason=reason, details=path))
