"""The two hashes of a version: of its structure and of its code.

Both are over a canonical form with sorted keys, sorted tasks, relative paths and `\\n` as line
end; without times, addresses, or anything else of the machine.
"""

import codecs
from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec
from msgspec import NODEFAULT
from msgspec.structs import FieldInfo, fields, replace

from lineagegraph.model.names.keys import canonical_hash, canonical_json
from lineagegraph.model.pipelines.definition import Pipeline
from lineagegraph.model.triggers.condition import OnSensor, Sequence

_UNORDERED = frozenset(
    {"tasks", "after", "parameters", "operands", "statuses", "arguments", "triggers", "constraints"}
    | {"dependencies", "clusters", "pass_env", "optional"}
)


def structure_hash(pipeline: Pipeline) -> str:
    """Return the hash of tasks, edges, parameters and settings, independent of their order."""
    return canonical_hash(_spell(pipeline))


def code_hash(files: Mapping[str, bytes]) -> str:
    """Return the hash of a definition's files by relative path."""
    return canonical_hash({path: _unix_lines(content).hex() for path, content in files.items()})


def closure_hash(statements: Mapping[str, list[str]], files: Mapping[str, bytes]) -> str:
    """Return the hash of the statements of modules, and of other files, by relative path."""
    whole = {path: _unix_lines(content).hex() for path, content in files.items()}
    return canonical_hash({"statements": statements, "files": whole})


def version_hash(structure: str, code: str) -> str:
    """Return the hash of a version."""
    return canonical_hash([structure, code])


def _unix_lines(content: bytes) -> bytes:
    """Return text with Unix line ends and without a byte order mark; bytes with a NUL stay."""
    if b"\0" in content:
        return content
    return content.removeprefix(codecs.BOM_UTF8).replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def _spell(value: Any) -> Any:
    """Return the canonical form of a value: fields that are sets in meaning are sorted.

    Only fields are sorted, because a user's maps may have the same names. Fields with their default
    are left out, so that a new field changes no hash.
    """
    if not isinstance(value, msgspec.Struct):
        return msgspec.to_builtins(value)
    if isinstance(value, OnSensor):
        value = replace(value, fields=_without_pickle(value.fields))
    unordered = frozenset[str]() if isinstance(value, Sequence) else _UNORDERED
    spelt = {name: _field(one, name in unordered) for name, one in _changed(value).items()}
    return [type(value).__name__, spelt]


def _without_pickle(fields: dict[str, Any]) -> dict[str, Any]:
    """Return the poke fields without the pickle of a function, which is never the same twice."""
    if "code" not in fields:
        return fields
    return {name: one for name, one in fields.items() if name not in ("pickle", "python")}


def _changed(value: msgspec.Struct) -> dict[str, Any]:
    values = {name: getattr(value, name) for name in value.__struct_fields__}
    defaults = _defaults(type(value))
    return {name: one for name, one in values.items() if one != defaults.get(name, NODEFAULT)}


@cache
def _defaults(kind: type[msgspec.Struct]) -> dict[str, Any]:
    return {field.name: _default(field) for field in fields(kind)}


def _default(field: FieldInfo) -> Any:
    if field.default_factory is NODEFAULT:
        return field.default
    return field.default_factory()


def _field(value: Any, is_unordered: bool) -> Any:
    if not isinstance(value, tuple):
        return _spell(value)
    spelt = [_spell(one) for one in value]
    return sorted(spelt, key=canonical_json) if is_unordered else spelt
