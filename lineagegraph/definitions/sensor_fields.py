"""The poke fields of a sensor as a definition states them: parameters may stand in them."""

import re
from collections.abc import Mapping
from typing import Any

from lineagegraph.definitions.origin import Origin
from lineagegraph.definitions.texts import texts_in
from lineagegraph.errors import DefinitionError, InvalidSensor
from lineagegraph.model.nearest import did_you_mean

_PLACE = re.compile(r"\{\w+\}")


def check_fields(kind: str, fields: Mapping[str, Any], origin: Origin) -> dict[str, Any]:
    """Return poke fields; those with the name of a parameter in them are looked at when it is run.

    Raise `DefinitionError` for an unknown kind, an unknown field, a secret, what no sensor has, and
    what the settings forbid.
    """
    # Kinds may need much; a definition without sensors needs none of it.
    from lineagegraph.sensors import permitted_sensor
    from lineagegraph.sensors.secrets import check_no_secrets

    _check_names(kind, fields, origin)
    try:
        if any(_PLACE.search(text) for text in texts_in(fields)):
            check_no_secrets(kind, dict(fields))
        else:
            permitted_sensor(kind, fields)
    except InvalidSensor as error:
        raise DefinitionError(f"{origin}: {error}") from None
    return dict(fields)


def _check_names(kind: str, fields: Mapping[str, Any], origin: Origin) -> None:
    from lineagegraph.sensors.registry import find_kind

    try:
        known = find_kind(kind).__struct_fields__
    except InvalidSensor as error:
        raise DefinitionError(f"{origin.at('kind')}: {error}") from None
    for name in fields:
        if name not in known:
            raise DefinitionError(
                f"{origin.at(name)}: sensor of kind {kind}: it has no field {name}"
                f"{did_you_mean(name, known)}"
            )
