"""A pipeline that was stated in cells, as a definition file."""

from pathlib import Path
from typing import Any

import msgspec

from lineagegraph.authoring.declared import project_root
from lineagegraph.authoring.pipelines import PipelineHandle
from lineagegraph.client.needed import needed_for
from lineagegraph.client.statements import Statement, cells_until_now, read_statements
from lineagegraph.code.keep import functions_of
from lineagegraph.errors import DefinitionError
from lineagegraph.model.pipelines.definition import Pipeline
from lineagegraph.reading.parser import parse
from lineagegraph.reading.session_pipeline import parse_here
from lineagegraph.settings import load_settings


def export(pipeline: PipelineHandle, path: Path) -> Path:
    """Write the statements that a pipeline is made of as a file, and return where that is.

    The file is read, and kept only if it makes the same pipeline. Raises `DefinitionError`.
    """
    text = f'"""The pipeline {pipeline.name}."""\n\n' + _source(pipeline)
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise DefinitionError(f"{path} is there already: name a new file") from None
    try:
        _check(pipeline, path)
    except BaseException:
        path.unlink()
        raise
    return path


def _source(pipeline: PipelineHandle) -> str:
    origin = pipeline.origin
    stating = origin.declared_in
    cells = cells_until_now()
    files = [*cells, *([stating] if stating not in cells else [])]
    known = [one for file in files for one in read_statements(file, cells)]
    last = next((one for one in known if one.file == stating and _has(one, origin.line)), None)
    if last is None:
        raise DefinitionError(
            f"{origin}: the source of pipeline {pipeline.name} is not known: state it in a cell"
        )
    chosen = needed_for(last, known)
    _check_functions(pipeline, files, chosen)
    return "\n\n".join(one.text for one in chosen) + "\n"


def _check_functions(pipeline: PipelineHandle, files: list[str], chosen: list[Statement]) -> None:
    """Raise `DefinitionError` where a task has another function than its cell makes by now."""
    for path, function in functions_of(pipeline).items():
        code = getattr(function, "__code__", None)
        if code is None or code.co_filename not in files:
            continue
        if not any(
            one.file == code.co_filename and _has(one, code.co_firstlineno) for one in chosen
        ):
            raise DefinitionError(
                f"{pipeline.origin}: task {path} is as its cell was before it was edited: run the "
                f"cell that states pipeline {pipeline.name} again, and export that"
            )


def _has(statement: Statement, line: int) -> bool:
    return statement.first <= line <= statement.last


def _check(pipeline: PipelineHandle, path: Path) -> None:
    settings = load_settings()
    root = project_root(pipeline.origin).resolve()
    place = path.resolve()
    root = root if place.is_relative_to(root) else place.parent
    found = [one.version.pipeline for one in parse(place, root, settings.parse_seconds)]
    here = parse_here(pipeline).version.pipeline
    if [_anywhere(one) for one in found] != [_anywhere(here)]:
        raise DefinitionError(
            f"{path}: what the cells say by now is another pipeline than {pipeline.name} here: run "
            "the cell that states it again, and export that"
        )


def _anywhere(pipeline: Pipeline) -> Any:
    """Return what a pipeline is, but for the modules that its functions are in."""
    return _without_modules(msgspec.to_builtins(pipeline))


def _without_modules(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _without_modules(v) for k, v in value.items() if k != "module"}
    if isinstance(value, list | tuple):
        return [_without_modules(one) for one in value]
    return value
