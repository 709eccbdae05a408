"""Pages of HTML from the templates of the tool: one file each, everything that came from elsewhere escaped."""

from typing import Any

import jinja2

_environment = jinja2.Environment(
    loader=jinja2.PackageLoader("wheelwright", "templates"),
    autoescape=True,
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,  # of a style sheet that is included
)


def render(template: str, **values: Any) -> str:
    """The page of a template."""
    return _environment.get_template(template).render(**values)
