"""`{parameter}` in the texts of commands."""

import re
from collections.abc import Collection, Iterable

from lineagegraph.definitions.origin import Origin
from lineagegraph.errors import DefinitionError


def check_placeholders(
    texts: Iterable[str], task: str, parameters: Collection[str], origin: Origin
) -> None:
    """Raise `DefinitionError` where a text has the name of no parameter in braces."""
    for text in texts:
        for name in re.findall(r"\{(\w+)\}", text):
            if name not in parameters:
                has = ", ".join(parameters) or "none"
                raise DefinitionError(
                    f"{origin}: task {task}: {{{name}}} names no parameter of its pipeline, "
                    f"which has {has}"
                )
