"""Export a pipeline that was stated in cells as a definition file, with the statements it needs."""

import builtins
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from lineagegraph.authoring.declared import project_root
from lineagegraph.authoring.pipelines import PipelineHandle
from lineagegraph.client.statements import AWAIT, Statement, cells_until_now, read_statements
from lineagegraph.code.by_value.pack import functions_of
from lineagegraph.errors import DefinitionError
from lineagegraph.model.pipelines.definition import Pipeline
from lineagegraph.reading.parser import parse
from lineagegraph.reading.session_pipeline import parse_here
from lineagegraph.settings import load_settings

_KNOWN = frozenset({*dir(builtins), "__file__"})
_ONLY_HERE = {
    "get_ipython": "a line with % or !",
    "display": "`display`",
    AWAIT: "`await` outside of functions",
}


def needed_for(last: Statement, known: Sequence[Statement]) -> list[Statement]:
    """Return a statement after all that it needs; of repeated statements the newest counts.

    Raises `DefinitionError` for code that only a notebook can have, and for names without a
    statement.
    """
    needs, missing = {}, set[str]()
    left = [known.index(last)]
    while left:
        place = left.pop()
        if place in needs:
            continue
        one = known[place]
        now = {name: _now(name, known, place) for name in one.names.now}
        later = {name: _makers(name, known, len(known)) for name in one.names.later}
        unmade = {name for name, made in (now | later).items() if not made}
        _check_plain(one, unmade)
        missing |= unmade - _KNOWN - one.names.sets - one.names.changes
        needs[place] = _all(now.values())
        left += [*needs[place], *_all(later.values())]
    if missing:
        raise DefinitionError(
            f"{last.place}: no cell of plain Python defines {', '.join(sorted(missing))}, which it "
            "needs: add one"
        )
    return [known[place] for place in _ordered(needs)]


def _check_plain(one: Statement, unmade: set[str]) -> None:
    for name, what in _ONLY_HERE.items():
        if name in unmade:
            raise DefinitionError(
                f"{one.place}: {what} works only in a notebook: replace it by plain Python"
            )


def _now(name: str, known: Sequence[Statement], place: int) -> list[int]:
    """Return the statements that made a name before; a cell that was run again comes later."""
    behind = _makers(name, known, len(known))
    return _makers(name, known, place) or [one for one in behind if one != place]


def _makers(name: str, known: Sequence[Statement], until: int) -> list[int]:
    """Return the statement that set a name last, and those that changed it since."""
    made: list[int] = []
    for place in reversed(range(until)):
        names = known[place].names
        if name in names.sets or name in names.changes:
            made.insert(0, place)
        if name in names.sets:
            break
    return made


def _all(found: Iterable[list[int]]) -> list[int]:
    return sorted({place for places in found for place in places})


def _ordered(needs: dict[int, list[int]]) -> list[int]:
    """Return statements in their order, but each after those it needs."""
    order: dict[int, None] = {}
    begun = set[int]()

    def put(place: int) -> None:
        if place in begun:
            return
        begun.add(place)
        for one in needs[place]:
            put(one)
        order[place] = None

    for place in sorted(needs):
        put(place)
    return [*order]


def export(pipeline: PipelineHandle, path: Path) -> Path:
    """Write a pipeline's statements as a definition file, and return its path.

    The file is read, and kept only if it defines the same pipeline. Raises `DefinitionError`.
    """
    text = f'"""The pipeline {pipeline.name}."""\n\n' + _source(pipeline)
    try:
        file = path.open("x", encoding="utf-8")
    except FileExistsError:
        raise DefinitionError(f"{path} exists already: name a new file") from None
    try:
        with file:
            file.write(text)
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
    known = [statement for file in files for statement in read_statements(file, cells)]
    last = next((one for one in known if one.file == stating and _has(one, origin.line)), None)
    if last is None:
        raise DefinitionError(
            f"{origin}: the source of pipeline {pipeline.name} is not available: define it in a "
            "cell"
        )
    chosen = needed_for(last, known)
    _check_functions(pipeline, files, chosen)
    return "\n\n".join(one.text for one in chosen) + "\n"


def _check_functions(pipeline: PipelineHandle, files: list[str], chosen: list[Statement]) -> None:
    """Raise `DefinitionError` if a task's function is older than its edited cell."""
    for path, function in functions_of(pipeline).items():
        code = getattr(function, "__code__", None)
        if code is None or code.co_filename not in files:
            continue
        if not any(
            one.file == code.co_filename and _has(one, code.co_firstlineno) for one in chosen
        ):
            raise DefinitionError(
                f"{pipeline.origin}: task {path} still has the code from before its cell was "
                f"edited: run the cell of pipeline {pipeline.name} again, then export it"
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
            f"{path}: the cells define another version of pipeline {pipeline.name} now: run its "
            "cell again, then export it"
        )


def _anywhere(pipeline: Pipeline) -> Any:
    """Return a pipeline without the modules of its functions, for a comparison."""
    return _without_modules(msgspec.to_builtins(pipeline))


def _without_modules(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _without_modules(v) for k, v in value.items() if k != "module"}
    if isinstance(value, list | tuple):
        return [_without_modules(one) for one in value]
    return value
