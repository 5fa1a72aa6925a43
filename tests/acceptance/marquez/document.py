"""Answers held against the OpenAPI document."""

import re
from functools import cache
from typing import Any

import httpx2 as httpx
import jsonschema_rs
import msgspec

from lineagegraph.http.openapi import make_document


def check_answer(answer: httpx.Response) -> None:
    """Fail unless the document has the path, the method, the status, and a schema that fits."""
    path = answer.request.url.raw_path.decode().partition("?")[0]
    found = [item for template, item in make_document()["paths"].items() if fits(template, path)]
    if not found:
        assert answer.status_code == 404
        return
    method = answer.request.method.lower().replace("head", "get")
    said = found[0][method]["responses"][str(answer.status_code)]
    name = said.get("$ref", "").rpartition("/")[2]
    said = make_document()["components"]["responses"].get(name, said)
    if answer.request.method != "HEAD" and "content" in said:
        answer.read()
        media_type = answer.headers["Content-Type"].partition(";")[0]
        schema = said["content"][media_type]["schema"]
        if media_type == "application/json":
            validator(msgspec.json.encode(schema)).validate(answer.json())
    for header, about in said.get("headers", {}).items():
        assert answer.headers[header] == about["schema"].get("const", answer.headers[header])


def fits(template: str, path: str) -> bool:
    return re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", template), path) is not None


@cache
def validator(schema: bytes) -> Any:
    components = {"components": make_document()["components"]}
    return jsonschema_rs.validator_for(msgspec.json.decode(schema) | components)
