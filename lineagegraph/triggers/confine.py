"""Sensors in rules that come with a token or a login: only what the settings name is poked."""

from typing import Any

from lineagegraph.errors import InvalidRule, InvalidSensor
from lineagegraph.sensors import confined_fields


def confine_sensors(value: Any) -> Any:
    """Return a rule's JSON with each sensor in it confined; raise `InvalidRule` for unknown kinds.

    The fields say so from then on, also when the rule is changed without a token.
    """
    if isinstance(value, list):
        return [confine_sensors(one) for one in value]
    if not isinstance(value, dict):
        return value
    if value.get("on") != "sensor":
        return {name: confine_sensors(one) for name, one in value.items()}
    kind, fields = value.get("kind"), value.get("fields", {})
    if not isinstance(kind, str) or not isinstance(fields, dict):
        return value  # decoding the rule refuses it
    try:
        return {**value, "fields": confined_fields(kind, fields)}
    except InvalidSensor as error:
        raise InvalidRule(str(error)) from None
