"""The state diagram of the table as a page: `python -m wheelwright.states > docs/states.md`."""

from tabletop.table.phases import AWAITS_SPIN, COMMANDS, IN_ROUND, PLAY, TRANSITIONS

HEAD = """# States of the table

Written by `python -m wheelwright.states` from `firmware/tabletop/table/phases.py`; a test holds the two together.
Any other change of phase is a fault of the program: it stops play with tilt T-41.

"""


def page() -> str:
    """The whole page in Markdown, with a Mermaid diagram."""
    lines = ["```mermaid", "stateDiagram-v2", "    [*] --> BOOT"]
    for phase in TRANSITIONS:
        lines += [f"    {phase} --> {after}" for after in TRANSITIONS[phase] if after != "TILT"]
    lines += ["```", "", "TILT can be entered from every phase but TILT itself:"]
    entering = [phase for phase in TRANSITIONS if "TILT" in TRANSITIONS[phase]]
    lines += [", ".join(entering) + ".", ""]
    lines += ["| phase | next |", "|---|---|"]
    lines += [f"| {phase} | {', '.join(TRANSITIONS[phase])} |" for phase in TRANSITIONS]
    lines += [
        "", f"A spin of the wheel counts only when it begins in {' or '.join(AWAITS_SPIN)}.",
        f"After a restart a round that was open stands in one of {', '.join(IN_ROUND)}, as its records say.",
        "", "## Commands", "",
        "Commands that are not listed are taken in every phase. While a tilt is open, * are refused (E-4002).",
        "", "| command | taken in | otherwise |", "|---|---|---|",
    ]  # fmt: skip
    for command, (phases, advice) in COMMANDS.items():
        lines.append(f"| {command}{'*' if command in PLAY else ''} | {', '.join(phases)} | {advice} |")
    return HEAD + "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(page(), end="")
