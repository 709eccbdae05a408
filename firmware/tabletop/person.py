"""Who is meant by the name or the code of a person that people type."""


def person(operator: str) -> str:
    """Whom a text names, however it was typed and whatever signs in it nobody sees; "" for nobody.

    Blanks, controls and what Unicode calls format characters or other spaces are no sign. Only ASCII has one case: so
    it is on every machine alike.
    """
    seen = ""
    for sign in operator.encode().lower().decode():
        code = ord(sign)
        if (code <= 0x20 or 0x7F <= code <= 0xA0 or code == 0xAD or 0x2000 <= code <= 0x200F
                or 0x2028 <= code <= 0x202F or 0x205F <= code <= 0x206F or code in (0x3000, 0xFEFF)):  # fmt: skip
            continue
        seen += sign
    return seen
