"""What an SQLite file is, by its first hundred bytes alone: a file of another program is not even opened.

The header holds the application (`application_id`) and the format of the log's tables (`user_version`).
"""

import struct
from pathlib import Path

from wheelwright.errors import WheelwrightError
from wheelwright.logbook.database_format import APPLICATION, Tables


def judge(path: Path, url: str, tables: Tables, *, create: bool) -> None:
    """Raises E-8002..8006 when the file is none of ours, or (unless `create`) not there."""
    try:
        with path.open("rb") as file:
            header = file.read(100)
            size = file.seek(0, 2)
    except FileNotFoundError:
        if not create:
            raise WheelwrightError(8005, url=url) from None
        return
    except IsADirectoryError:
        raise WheelwrightError(8002, url=url, reason="it is a folder") from None
    except OSError as error:
        raise WheelwrightError(8006, url=url, reason=error.strerror) from error
    if not header and create:
        return  # made, but never written: what is left of a start that was cut off
    if len(header) < 100 or not header.startswith(b"SQLite format 3\0"):
        raise WheelwrightError(8002, url=url, reason="not an SQLite file")
    page_size, changed, pages, found, application, valid_for = (
        *struct.unpack_from(">H", header, 16), *struct.unpack_from(">II", header, 24),
        *struct.unpack_from(">I4xI", header, 60), *struct.unpack_from(">I", header, 92),
    )  # fmt: skip
    if application != APPLICATION:
        raise WheelwrightError(8002, url=url, reason="it belongs to another program")
    if tables.in_header and found > tables.format:
        raise WheelwrightError(8003, url=url, found=found, known=tables.format)
    unfinished = path.with_name(path.name + "-journal").exists()  # SQLite will roll back, then the size is right
    if changed == valid_for and size < pages * (65536 if page_size == 1 else page_size) and not unfinished:
        raise WheelwrightError(8004, url=url, reason="the end of the file is missing")
