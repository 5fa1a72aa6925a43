"""Tags: the tables that have values of tagged columns, and who reads them."""

from collections import defaultdict
from itertools import islice

import msgspec

from lineagegraph.model.names.keys import dataset_key
from lineagegraph.queries.lineage.readers import describe_reader, read_readers
from lineagegraph.queries.lineage.tag_flow import MOST_REACHED, read_tag_flow
from lineagegraph.store.admin.tags import TagRow, list_tags
from lineagegraph.store.lineage.tag_flow import list_tagged_columns
from lineagegraph.views.view import View

_MOST_TAGS = 1000
_MOST_TABLES = 100


class TaggedTable(msgspec.Struct, frozen=True):
    """A table with values of tagged columns, and its readers, one per line.

    `reached` are the columns that such values reach unmasked, each with the way to it.
    """

    namespace: str
    name: str
    tagged: list[str]
    reached: list[str]
    readers: list[str]


class TaggedTables(msgspec.Struct, frozen=True):
    """The tables of a tag; `cut` if there are more."""

    tables: list[TaggedTable]
    cut: bool


class TagsView(View):
    """All tags, and the tables of one."""

    def answer_tags(self) -> list[TagRow]:
        """Return the tags by name."""
        return self._graph.read(list_tags, limit=_MOST_TAGS, offset=0)

    def answer_tables(self, tag: str) -> TaggedTables:
        """Return the tables with columns of a tag, or that values of these reach unmasked."""
        flow = read_tag_flow(self._graph, tag)
        tagged, reached = defaultdict[tuple[str, str], list[str]](list), defaultdict(list)
        for one in self._graph.read(list_tagged_columns, name=tag, limit=MOST_REACHED):
            tagged[one.namespace, one.dataset].append(one.name)
        for column in flow.columns:
            way = " › ".join(f"{step.dataset}#{step.column}" for step in column.path[:-1])
            reached[column.namespace, column.dataset].append(f"{column.column}, from {way}")
        names = dict.fromkeys([*tagged, *reached])
        tables = [
            TaggedTable(*name, tagged[name], reached[name], self._readers(*name))
            for name in islice(names, _MOST_TABLES)
        ]
        return TaggedTables(tables, flow.cut or len(names) > _MOST_TABLES)

    def _readers(self, namespace: str, name: str) -> list[str]:
        found = read_readers(self._graph, dataset_key(namespace, name))
        return [describe_reader(one) for one in found]
