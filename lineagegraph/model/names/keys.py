"""Names and keys of jobs, datasets and fields: pure functions of reported values."""

import hashlib
import json
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec

_ENCODER = msgspec.json.Encoder(order="sorted")


def canonical_json(value: Any) -> str:
    """Return JSON with sorted keys and no spaces: equal values give equal text on every machine."""
    try:
        return _ENCODER.encode(value).decode()
    except OverflowError:
        # An integer beyond 64 bits, which JSON may have and the fast encoder does not.
        return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def canonical_hash(value: Any) -> str:
    """Return the SHA-256 of `canonical_json(value)`, 64 hexadecimal digits."""
    return text_hash(canonical_json(value))


def text_hash(text: str) -> str:
    """Return the SHA-256 of a text, 64 hexadecimal digits."""
    return hashlib.sha256(text.encode()).hexdigest()


_MOST_REMEMBERED = 100_000
# The most names of shortened chains that are kept, and the longest of them.
_MOST_CUTS = 8
_CUT_CHARACTERS = 1_000
# The longest FQN, as Neo4j indexes up to 8 kB, and how much of its beginning stays in longer ones.
_MOST_BYTES = 4_000
_HEAD_BYTES = 1_000


class Alias(NamedTuple):
    """A name that a job had while its topmost ancestors were not known."""

    namespace: str
    name: str


@dataclass(frozen=True, slots=True)
class JobName:
    """A job's names: `name` is its own, `fqn` is prefixed by all ancestors' names.

    `cuts` are the FQNs of the shortened chains of ancestors: without any, with only the parent, and
    so on, at most eight and none that is long; the last is the whole chain's, with the topmost
    ancestor's namespace.
    In an FQN above 4,000 bytes the middle is replaced by a hash.
    """

    key: str
    namespace: str
    name: str
    simple_name: str
    fqn: str
    cuts: tuple[Alias, ...] = ()

    @property
    def aliases(self) -> list[Alias]:
        """Return the names from shorter chains of ancestors only."""
        own = Alias(self.namespace, self.fqn)
        return [cut for cut in dict.fromkeys(self.cuts[:-1]) if cut not in (own, self.cuts[-1])]


def name_job(namespace: str, name: str, parent: JobName | None = None) -> JobName:
    """Return the names of a job under its parent: equal names under different parents differ.

    An own name that begins with the parent's FQN or own name and a dot loses that prefix.
    """
    own = Alias(namespace, name)
    if parent is None:
        return JobName(job_key(None, namespace, name), namespace, name, name, name, (own,))
    simple_name = _without_prefix(name, parent.fqn, parent.name)
    cuts = [
        Alias(cut.namespace, _fqn(cut.name, _without_prefix(name, cut.name, parent.name)))
        for cut in parent.cuts
    ]
    shorter = [cut for cut in cuts[:-1] if len(cut.name) <= _CUT_CHARACTERS][: _MOST_CUTS - 1]
    return JobName(
        key=job_key(parent.key, namespace, name),
        namespace=namespace,
        name=name,
        simple_name=simple_name,
        fqn=_fqn(parent.fqn, simple_name),
        cuts=(own, *shorter, *cuts[-1:]),
    )


@lru_cache(_MOST_REMEMBERED)
def job_key(parent_key: str | None, namespace: str, name: str) -> str:
    """Return the key of a job: a hash of its parent's key, its own namespace and its own name."""
    return canonical_hash([parent_key, namespace, name])[:32]


@lru_cache(_MOST_REMEMBERED)
def dataset_key(namespace: str, name: str) -> str:
    """Return the key of a dataset."""
    return canonical_hash([namespace, name])[:32]


@lru_cache(_MOST_REMEMBERED)
def field_key(dataset: str, name: str) -> str:
    """Return the key of a column of the dataset that has the key `dataset`."""
    return canonical_hash([dataset, name])[:32]


def assertion_key(dataset: str, name: str, column: str | None) -> str:
    """Return the key of an assertion about the dataset that has the key `dataset`."""
    return canonical_hash([dataset, name, column])[:32]


def alias_key(alias: Alias) -> str:
    """Return the key of an earlier name."""
    return canonical_hash(alias)[:32]


def _fqn(parent: str, simple_name: str) -> str:
    fqn = f"{parent}.{simple_name}"
    if len(fqn) * 4 <= _MOST_BYTES or len(fqn.encode()) <= _MOST_BYTES:
        return fqn
    head = parent.encode()[:_HEAD_BYTES].decode(errors="ignore")
    return f"{head}~{text_hash(fqn)[:16]}.{simple_name}"


def _without_prefix(name: str, *prefixes: str) -> str:
    for prefix in prefixes:
        if name.startswith(f"{prefix}.") and len(name) > len(prefix) + 1:
            return name[len(prefix) + 1 :]
    return name
