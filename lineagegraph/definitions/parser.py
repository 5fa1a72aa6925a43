"""Reads a definition file in a process of its own, which may do what it likes."""

import json
import os
import signal
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from subprocess import DEVNULL, PIPE, STDOUT, Popen, TimeoutExpired
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from lineagegraph import errors
from lineagegraph.definitions.answer import Answer, Read, Refused, Stated
from lineagegraph.definitions.archive import Source, contents
from lineagegraph.definitions.hashing import code_hash, structure_hash, version_hash
from lineagegraph.definitions.output import Output
from lineagegraph.errors import DefinitionError
from lineagegraph.model.definition import PipelineVersion
from lineagegraph.model.task_code import TaskCode


class ParsedPipeline(msgspec.Struct, frozen=True):
    """A version of a pipeline: its files, the line that states it, and its tasks' functions."""

    version: PipelineVersion
    source: Source
    line: int
    code: TaskCode | None = None


def parse(
    path: Path,
    root: Path,
    seconds: float,
    *,
    namespace: str = "default",
    zone: str = "UTC",
    variables: Mapping[str, Any] | None = None,
) -> list[ParsedPipeline]:
    """Return the pipelines that a file declares, which may be none.

    `root` is the folder that its modules are imported from; namespace and zone hold where the file
    names none; `variables` has the values of all that are set. Raises `DefinitionError` for a file
    that fails, ends Python or takes too long.
    """
    file, root = path.resolve(), root.resolve()
    shown = file.relative_to(root) if file.is_relative_to(root) else file
    with TemporaryDirectory(prefix="lineagegraph-") as folder:
        answer = Path(folder) / "answer"
        handed = Path(folder) / "variables"
        handed.write_text(json.dumps(variables or {}))
        arguments = [str(file), str(root), namespace, zone, str(handed), str(answer)]
        _run(arguments, root, seconds, answer, str(shown))
        return _parsed(_decode(answer, str(shown)), str(shown), root)


def _run(arguments: list[str], root: Path, seconds: float, answer: Path, shown: str) -> None:
    process = Popen(
        # -P: a json.py in the project must not become this process's json.
        [sys.executable, "-P", "-m", "lineagegraph.definitions.child", *arguments],
        cwd=root,
        stdin=DEVNULL,
        stdout=PIPE,
        stderr=STDOUT,
        start_new_session=True,
    )
    output = Output(process)
    try:
        code = process.wait(seconds)
    except TimeoutExpired:
        raise DefinitionError(
            f"{shown}:1: takes more than {seconds:g} s to import: move slow work into tasks, or "
            "raise LINEAGEGRAPH_PARSE_SECONDS"
        ) from None
    finally:
        _end(process)
    if not answer.exists():
        raise DefinitionError(f"{shown}:1: {_death(code)} while it was imported{_said(output)}")


def _end(process: "Popen[bytes]") -> None:
    """Kill it and whatever it started."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _death(code: int) -> str:
    if code < 0:
        return f"Python was killed by {signal.Signals(-code).name}"
    return f"Python ended with exit status {code}"


def _said(output: Output) -> str:
    line = output.last_line()
    return f" (its last output: {line[:300]})" if line else ""


def _decode(answer: Path, shown: str) -> Read:
    try:
        answered: Answer = msgspec.msgpack.decode(answer.read_bytes(), type=Answer)
    except msgspec.DecodeError:
        raise DefinitionError(f"{shown}:1: Python ended in the middle of its answer") from None
    if isinstance(answered, Refused):
        refusal: type[DefinitionError] = getattr(errors, answered.error, DefinitionError)
        raise refusal(answered.message)
    return answered


def _parsed(read: Read, shown: str, root: Path) -> list[ParsedPipeline]:
    if read.source is None:
        return []
    code = code_hash(contents(read.source))
    return [_version(stated, read.source, code, shown, root) for stated in read.stated]


def _version(stated: Stated, source: Source, code: str, shown: str, root: Path) -> ParsedPipeline:
    structure = structure_hash(stated.pipeline)
    version = PipelineVersion(
        hash=version_hash(structure, code),
        structure_hash=structure,
        code_hash=code,
        pipeline=stated.pipeline,
        source_sha256=source.sha256,
        file=shown,
        root=str(root),
    )
    return ParsedPipeline(version, source, stated.line, stated.code)
