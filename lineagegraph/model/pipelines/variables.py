"""Variables: named JSON values. `null` is not a value: it means that nothing is set."""

from typing import Any

from lineagegraph.errors import InvalidName, InvalidVariable
from lineagegraph.model.names.keys import canonical_json
from lineagegraph.model.pipelines.parameters import json_value

LONGEST_NAME = 200
MOST_BYTES = 64 * 1024


def checked_variable(name: object) -> str:
    """Return the name of a variable; raise `InvalidName` if it is invalid."""
    if isinstance(name, str) and _is_plain(name):
        return name
    raise InvalidName(
        f"{str(name)[:60]!r} is not a valid variable name: use printable text of up to "
        f"{LONGEST_NAME} characters, without spaces around it"
    )


def variable_text(name: str, value: Any) -> str:
    """Return a value as the JSON text to store; raise `InvalidVariable` if it is invalid."""
    if value is None:
        raise InvalidVariable(f"variable {name}: null is not a value; unset the variable instead")
    try:
        text = canonical_json(json_value(value))
    except ValueError as error:
        raise InvalidVariable(f"variable {name}: {error}") from None
    if (size := len(text.encode())) > MOST_BYTES:
        raise InvalidVariable(
            f"variable {name}: the value has {size:,} bytes as JSON, at most {MOST_BYTES:,} are "
            "kept: put it into a file or table, and its name into the variable"
        )
    return text


def _is_plain(name: str) -> bool:
    return 0 < len(name) <= LONGEST_NAME and name == name.strip() and name.isprintable()
