"""The tables of a seed's text, as printed: for tests that hold the product's paytables against them."""


def sections(text):
    """Number of a section ("635c.1") -> its text."""
    found = {}
    for part in ("\n" + text).split("\n§ ")[1:]:
        found[part.split(" ")[0].rstrip(".")] = part
    return found


def tables(text):
    """Every table as a list of rows of cells, without the line under its head; a line above `|---|` begins one."""
    lines = text.split("\n")
    found = []
    for n in range(len(lines)):
        line = lines[n].strip()
        if line.startswith("|---"):
            continue
        if not line.startswith("|"):
            continue
        if n + 1 < len(lines) and lines[n + 1].startswith("|---"):
            found.append([])
        found[-1].append([cell.strip() for cell in line[1:-1].split("|")])
    return found
