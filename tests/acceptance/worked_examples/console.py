"""What is typed on a page of the documentation, and what it says is answered."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# What differs from one time to the next: ids, times, how long something took.
_VARYING = [
    (re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}(-[0-9a-f-]{0,22})?"), "ID"),
    (re.compile(r"\b[0-9a-f]{10,64}\b"), "ID"),
    (re.compile(r"\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d{4}| UTC)?"), "TIME"),
    (re.compile(r"\b(\d+[wdhm] )?[\d.]+(w|d|h|m|s|ms)\b"), "SPAN"),
    (re.compile(r"\s+"), " "),
]


class Step(NamedTuple):
    """A command and what it writes, unless the page does not say; `…` stands for anything."""

    command: str
    answer: str | None


def read_steps(page: Path) -> Iterator[Step]:
    """Return the commands of a page in order; in blocks without prompts each line is one."""
    for block in _BLOCK.findall(page.read_text(encoding="utf-8")):
        if not block.startswith("$ "):
            yield from (Step(line, None) for line in block.splitlines())
            continue
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, answer = part.partition("\n")
            yield Step(command, answer or None)


def is_answer(said: str, expected: str) -> bool:
    """Say whether something was answered as the page has it, but for what always differs."""
    wanted = ".*".join(re.escape(part) for part in _plain(expected).split("…"))
    return bool(re.fullmatch(wanted, _plain(said), re.DOTALL))


def _plain(text: str) -> str:
    for pattern, name in _VARYING:
        text = pattern.sub(name, text)
    return text.strip()
