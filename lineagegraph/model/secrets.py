"""Secrets in names, settings and texts: recognized, and masked before anything keeps them."""

import re
from collections.abc import Mapping
from typing import Any

MASK = "***"
_NAMES = re.compile(
    r"pass(word|wd|phrase)|(private|api|access|account|shared|sas|session|signing|master|encryption)"
    r"_?key|authorization|credential|signature|jaas"
    r"|(^|_)(secrets?|tokens?|auth|cookies?|pass|pwd|sig|sas|keytab|key)($|_)"
)
# Settings whose names have a word of secrets, and whose values have none.
_PLAIN = re.compile(
    r"(^|_)(primary|partition|foreign|sort|cluster|order|group|public|merge|row)_?key"
    r"|(^|_)(max|min|num|n)_tokens?|tokens?_(per|count|limit|max|num)|credentials?_?provider|auth_?(type|mode|mechanism)"
    r"|(key|token|secret|password)_?(file|path|class|provider|length|size|name|id)$"
)
_WORDS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[^A-Za-z0-9]+")
_URL_USER = re.compile(r"(?P<scheme>\b[A-Za-z][\w+.:-]*://)(?P<user>[^\s/'\"@]*(?:@[^\s/'\"@]+)*)@")
_ORACLE_USER = re.compile(r"(?P<kind>\bjdbc:oracle:\w+:)[^\s@'\"]+@")
_NAMED = re.compile(r"(?P<name>[A-Za-z][\w.-]*)['\"]?\s*[=:]\s*")
_VALUE = re.compile(
    r"(?:Bearer|Basic)\s+\S+|\"[^\"]*\"?|'[^']*'?|\{[^}]*\}|[^\s'\"&;,)}\]]+", re.IGNORECASE
)
_SQL = re.compile(
    r"(?P<before>\b(?:password|identified\s+by|secret_key|secret)\s+)(?P<value>'[^']*'|\"[^\"]*\")",
    re.IGNORECASE,
)
_KNOWN = re.compile(
    r"(?P<before>\b(?:Bearer|Basic)\s+)[\w.~+/=-]{8,}"
    r"|\b(?:AKIA|ASIA)[A-Z0-9]{16}\b"
    r"|\blg_[\w-]{30,}"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)",
    re.IGNORECASE | re.DOTALL,
)


def names_secret(name: str) -> bool:
    """Return whether a setting, variable or field of this name likely holds a secret."""
    words = _WORDS.sub("_", name).lower()
    return _NAMES.search(_PLAIN.sub("_", words)) is not None


def mask_text(text: str) -> str:
    """Return a text with `***` for user information of URLs, passwords and known forms of keys."""
    masked = _URL_USER.sub(rf"\g<scheme>{MASK}@", text) if "://" in text else text
    masked = _ORACLE_USER.sub(rf"\g<kind>{MASK}@", masked)
    masked = _mask_pairs(masked)
    masked = _SQL.sub(lambda found: f"{found['before']}{MASK}", masked)
    return _KNOWN.sub(lambda found: f"{found['before'] or ''}{MASK}", masked)


def mask_settings(settings: Mapping[str, str]) -> dict[str, str]:
    """Return settings or variables with `***` for secrets, by their names and their values."""
    return {
        name: MASK if value and names_secret(name) else mask_text(value)
        for name, value in settings.items()
    }


def mask_value(value: Any) -> Any:
    """Return a JSON value with `***` for secrets in it, by the names of members and in texts."""
    if isinstance(value, str):
        return mask_text(value)
    if isinstance(value, list):
        return [mask_value(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        name: MASK
        if isinstance(item, str) and item and names_secret(str(name))
        else mask_value(item)
        for name, item in value.items()
    }


def _mask_pairs(text: str) -> str:
    """Return a text with `***` for each value behind the name of a secret."""
    parts, end = [], 0
    for named in _NAMED.finditer(text):
        value = _VALUE.match(text, named.end())
        if value and named.start() >= end and names_secret(named["name"]):
            parts.append(text[end : named.end()] + MASK)
            end = value.end()
    return "".join(parts) + text[end:]
