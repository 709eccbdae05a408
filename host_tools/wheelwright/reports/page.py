"""The report as one HTML page that needs nothing beside it and prints well."""

from wheelwright import __version__, pages
from wheelwright.reports import plots, words
from wheelwright.reports.run import Run
from wheelwright.reports.sealing import Seal


def page(run: Run, seal: Seal) -> bytes:
    """The page, before its own seal; `seal` is that of the JSON report."""
    pictures = [(check.title, plots.svg(check.plot)) for check in run.checks if check.plot is not None]
    return pages.render("run.html.j2", run=run, words=words, plots=pictures, seal=seal, tool=__version__).encode()
