"""The two hashes of a version: one of its structure, one of its code.

Both are over a canonical form: sorted keys, sorted tasks, relative paths, line endings as `\\n`;
no clock, no address, nothing of the machine.
"""

import codecs
from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec
from msgspec import NODEFAULT
from msgspec.structs import FieldInfo, fields, replace

from lineagegraph.model.names.canonical import canonical_hash, canonical_json
from lineagegraph.model.pipelines.definition import Pipeline
from lineagegraph.model.triggers.condition import OnSensor, Sequence

_UNORDERED = frozenset(
    {"tasks", "after", "parameters", "operands", "statuses", "arguments", "triggers", "constraints"}
    | {"dependencies", "clusters"}
)


def structure_hash(pipeline: Pipeline) -> str:
    """Return the hash of tasks, edges, parameters and settings, whatever their order."""
    return canonical_hash(_spell(pipeline))


def code_hash(files: Mapping[str, bytes]) -> str:
    """Return the hash of a definition's files by relative path."""
    return canonical_hash({path: _unix_lines(content).hex() for path, content in files.items()})


def version_hash(structure: str, code: str) -> str:
    """Return the hash of a version."""
    return canonical_hash([structure, code])


def _unix_lines(content: bytes) -> bytes:
    """Return text as other editors would write it; what has a NUL is no text."""
    if b"\0" in content:
        return content
    return content.removeprefix(codecs.BOM_UTF8).replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def _spell(value: Any) -> Any:
    """Sort what is a set in meaning, by field: a user's own maps may have such names too.

    What has its default is left out, so that a field that is new here changes no hash.
    """
    if not isinstance(value, msgspec.Struct):
        return msgspec.to_builtins(value)
    if isinstance(value, OnSensor):
        value = replace(value, fields=_told_apart(value.fields))
    unordered = frozenset[str]() if isinstance(value, Sequence) else _UNORDERED
    spelt = {name: _field(said, name in unordered) for name, said in _said(value).items()}
    return [type(value).__name__, spelt]


def _told_apart(fields: dict[str, Any]) -> dict[str, Any]:
    """Return the poke fields that tell one function from another: the pickle is never the same."""
    if "code" not in fields:
        return fields
    return {name: one for name, one in fields.items() if name not in ("pickle", "python")}


def _said(value: msgspec.Struct) -> dict[str, Any]:
    values = {name: getattr(value, name) for name in value.__struct_fields__}
    defaults = _defaults(type(value))
    return {name: said for name, said in values.items() if said != defaults.get(name, NODEFAULT)}


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
