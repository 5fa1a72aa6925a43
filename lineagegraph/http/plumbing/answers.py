"""Answer types: the base class, and types of fields with their JSON Schema."""

from datetime import datetime
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta

Uuid = Annotated[str, Meta(extra_json_schema={"format": "uuid"})]
Count = Annotated[int, Meta(ge=0)]
Timestamp = Annotated[datetime, Meta(tz=True)]
# JSON that is encoded already.
RawObject = Annotated[msgspec.Raw, Meta(extra_json_schema={"type": "object"})]
RawTexts = Annotated[
    msgspec.Raw,
    Meta(extra_json_schema={"type": "object", "additionalProperties": {"type": "string"}}),
]
NOT_NULL = Meta(extra_json_schema={"not": {"type": "null"}})


# Answers have no cycles: the garbage collector can leave them out.
class AnswerStruct(msgspec.Struct, rename="camel", gc=False):
    """Base class of answers: the API document takes their schemas from it.

    The document names the schema of `JobAnswer` `Job`.
    """


A = TypeVar("A", bound=AnswerStruct)


def about(text: str = "", **schema: Any) -> Meta:
    """Return the description of a field, with JSON Schema that other code than msgspec checks."""
    return Meta(description=text or None, extra_json_schema=schema or None)


def answer_from(kind: type[A], source: object, **own: Any) -> A:
    """Return an answer with the fields of another object, except for those given."""
    names = kind.__struct_fields__
    return kind(**{name: getattr(source, name) for name in names if name not in own}, **own)
