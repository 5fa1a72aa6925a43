"""The closure of a pipeline: the statements of its files that can have an effect on it."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Set
from functools import cached_property

import msgspec

from lineagegraph.code.hashing import closure_hash, code_hash
from lineagegraph.code.top_level import TopLevelStatement, top_level, words_in
from lineagegraph.model.pipelines.definition import OWN_CLOSURE, Pipeline

_MOST_TEXT = 1_000_000


class CodeHash(msgspec.Struct, frozen=True):
    """The hash of a pipeline's code; `covers` is `OWN_CLOSURE`, or why it covers whole files."""

    hash: str
    covers: str


class Closures:
    """The closures of the pipelines of one definition file.

    `files` are the packed files by relative path, `modules` the paths of those that are imported.
    """

    def __init__(self, files: Mapping[str, bytes], modules: Iterable[str]) -> None:
        self._files = files
        self._modules = sorted(frozenset(modules) & files.keys())
        self._data_words: dict[str, set[str]] = {}

    def hash(self, pipeline: Pipeline, file: str, line: int, data: Set[str]) -> CodeHash:
        """Return the hash of a pipeline that a line of a file states.

        `data` are files of which all bytes count: commands execute them, or definitions read them.
        """
        try:
            used = self._used(pipeline, file, line, data)
        except (SyntaxError, ValueError, LookupError, RecursionError, MemoryError) as error:
            return self.whole(f"a file cannot be parsed: {error}")
        if reason := self._doubt(used, file, data):
            return self.whole(reason)
        texts = "\n".join(one.text for statements in used.values() for one in statements)
        counted = {
            path: content
            for path, content in self._files.items()
            if path in data or (path not in used and _name(path) in texts)
        }
        kept = {path: [one.text for one in statements] for path, statements in used.items()}
        return CodeHash(closure_hash(kept, counted), OWN_CLOSURE)

    def whole(self, reason: str) -> CodeHash:
        """Return the hash of all files, with the reason that no closure is known."""
        return CodeHash(code_hash(self._files), f"whole files, because {reason}"[:200])

    def _doubt(
        self, used: Mapping[str, list[TopLevelStatement]], file: str, data: Set[str]
    ) -> str | None:
        """Return the reason that the statements may not be the whole closure."""
        if file not in used:
            return f"{file} is not a module of the project"
        names = {_name(path) for path in used if path not in data}
        for path, statements in used.items():
            for one in statements:
                if one.reflects:
                    return f"{path}:{one.reflects[0]} uses {one.reflects[1]}"
                if named := sorted(name for name in names if name in one.text):
                    return f"{path}:{one.first} names {named[0]}"
        return None

    def _used(
        self, pipeline: Pipeline, file: str, line: int, data: Set[str]
    ) -> dict[str, list[TopLevelStatement]]:
        """Return the statements of the closure by file: no word in them names another one.

        What a word may mean is not resolved: all statements that bind the name, in any file, count.
        """
        each = [(path, one) for path, some in self._statements.items() for one in some]
        found = {
            one
            for path, one in each
            if not one.optional or (path == file and one.first <= line <= one.last)
        }
        pending = words_in(msgspec.json.encode(pipeline).decode())
        pending.update(*(one.words for one in found), *map(self._words_of, data))
        known: set[str] = set()
        while pending:
            known.add(word := pending.pop())
            more = self._named.get(word, set()) - found
            found |= more
            pending |= self._meant.get(word, set()).union(*(one.words for one in more)) - known
        return {path: [o for o in some if o in found] for path, some in self._statements.items()}

    def _words_of(self, path: str) -> set[str]:
        """Return the words of a file that is no module, such as a script that imports one."""
        if path not in self._data_words:
            content = self._files.get(path, b"")
            is_text = len(content) <= _MOST_TEXT and b"\0" not in content
            words = words_in(content.decode(errors="replace")) if is_text else set()
            self._data_words[path] = words
        return self._data_words[path]

    @cached_property
    def _statements(self) -> dict[str, list[TopLevelStatement]]:
        return {path: top_level(self._files[path]) for path in self._modules}

    @cached_property
    def _named(self) -> dict[str, set[TopLevelStatement]]:
        """The statements that only bind a name, by that name."""
        found = defaultdict[str, set[TopLevelStatement]](set)
        for one in self._all():
            if one.name is not None:
                found[one.name].add(one)
        return found

    @cached_property
    def _meant(self) -> dict[str, set[str]]:
        """The words that names of imports stand for."""
        found = defaultdict[str, set[str]](set)
        for one in self._all():
            for name, words in one.imports.items():
                found[name] |= words
        return found

    def _all(self) -> Iterator[TopLevelStatement]:
        return (one for some in self._statements.values() for one in some)


def _name(path: str) -> str:
    return path.rpartition("/")[2]
