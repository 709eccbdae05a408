"""Addresses of servers as they may be shown: without their passwords."""

import re


def shown(text: str) -> str:
    """The text with `***` in the place of each password of an address."""
    return re.sub(r"(://[^:@/\s]*):[^\s]*@", r"\1:***@", re.sub(r"(password=)[^&\s]*", r"\1***", text))
