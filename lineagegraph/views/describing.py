"""Views that describe jobs and datasets: tags, also of columns, descriptions and owners."""

from collections.abc import Mapping
from typing import Any, ClassVar

from lineagegraph.admin.namespaces import attach_tags, detach_tag
from lineagegraph.errors import ChangedMeanwhile
from lineagegraph.graph import Transaction
from lineagegraph.model.access import EVERYWHERE, Role
from lineagegraph.queries.search.details import find_details
from lineagegraph.reactions.describe import describe_node
from lineagegraph.store.admin.tags import list_tags
from lineagegraph.text import one_line
from lineagegraph.views.known import claim_node
from lineagegraph.views.view import View

_LONGEST = 200
_LONGEST_DESCRIPTION = 2_000
_MOST_OWNERS = 20
_MOST = 1000


class DescribingView(View):
    """A view that states facts about data, for callers with the role `write`, as events need it."""

    writes: ClassVar[frozenset[str]] = frozenset({"tag", "untag", "describe"})

    def needs(self, question: str, about: Mapping[str, Any]) -> list[tuple[Role, str]]:
        """Return the roles that a question needs."""
        if question in self.writes:
            return [(Role.WRITE, EVERYWHERE)]
        return super().needs(question, about)

    def answer_known_tags(self) -> list[str]:
        """Return the names of all tags."""
        return [one.name for one in self._graph.read(list_tags, limit=_MOST, offset=0)]

    def answer_tag(self, key: str, tag: str) -> None:
        """Attach a tag to a job, dataset or column; a missing one is created."""
        name = one_line(tag, _LONGEST)
        if name is None:
            raise ValueError(f"the name of a tag has 1 to {_LONGEST} characters on one line")
        attach_tags(self._graph, key, [name])

    def answer_untag(self, key: str, tag: str) -> None:
        """Take a tag off a job, dataset or column."""
        detach_tag(self._graph, key, tag)

    def answer_describe(
        self,
        key: str,
        description: str | None = None,
        owners: list[str] | None = None,
        known: dict[str, str] | None = None,
    ) -> None:
        """State the description and the owners of a job or dataset; None leaves what is known.

        `known` has each line of the details that the change began with.
        """
        if len(description or "") > _LONGEST_DESCRIPTION or len(owners or ()) > _MOST_OWNERS:
            raise ValueError(
                f"at most {_LONGEST_DESCRIPTION:,} characters and {_MOST_OWNERS} owners are stored"
            )
        if any(one_line(owner, _LONGEST) is None for owner in owners or ()):
            raise ValueError(f"the name of an owner has 1 to {_LONGEST} characters on one line")

        def work(tx: Transaction) -> None:
            claim_node(tx, key)
            found = find_details(tx, key)
            lines = dict(found.lines)
            _refuse_changed(known or {}, lines)
            describe_node(
                tx,
                (lines["namespace"], lines["name"]),
                is_job=found.is_job,
                description=description,
                owners=owners,
                author=self.author,
            )

        self._graph.write(work)


def _refuse_changed(known: Mapping[str, str], lines: Mapping[str, str]) -> None:
    """Raise `ChangedMeanwhile` if a line is another than a person knew."""
    for name, before in known.items():
        now = lines.get(name, "")
        if now != before:
            raise ChangedMeanwhile(
                f"the {name} of {lines['name']} was changed meanwhile and is now {now!r}: "
                "select it again, and change that one"
            )
