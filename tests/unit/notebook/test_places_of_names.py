"""What kind of name belongs where somebody types."""

import pytest

from lineagegraph.notebook.completion.names import NameKind
from lineagegraph.notebook.completion.place import CompletionContext, place_of


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("%lineage ", CompletionContext(NameKind.NODE, "")),
        ("%lineage lo", CompletionContext(NameKind.NODE, "lo")),
        (
            "x = %lineage --up 2 dataset:lake:ri",
            CompletionContext(NameKind.NODE, "dataset:lake:ri"),
        ),
        ("1\n%runs nyc.", CompletionContext(NameKind.JOB, "nyc.")),
        ("%triggers d", CompletionContext(NameKind.TRIGGER, "d")),
        ("%cypher names/", CompletionContext(NameKind.QUERY, "names/")),
        ("graph.lineage('ri", CompletionContext(NameKind.NODE, "ri", "'", "graph")),
        ("x = [graph.runs(\"it's", CompletionContext(NameKind.JOB, "it's", '"', "graph")),
        ("%%cypher\nMATCH (j:Jo", CompletionContext(NameKind.LABEL, "Jo")),
        ("%%cypher\nMATCH (:Job|Da", CompletionContext(NameKind.LABEL, "Da")),
        ("%%cypher x <<\nMATCH (a)-[r:RE", CompletionContext(NameKind.TYPE, "RE")),
        ("%%cypher\nMATCH (a)-[:READS|WR", CompletionContext(NameKind.TYPE, "WR")),
        ("%%cypher\nMATCH (j) WHERE j:Jo", CompletionContext(NameKind.LABEL_OR_TYPE, "Jo")),
        ("%%cypher\nMATCH (j)\nRETURN j.fq", CompletionContext(NameKind.PROPERTY, "fq")),
        ("%%cypher\nMATCH (j:Job {fq", CompletionContext(NameKind.PROPERTY, "fq")),
        ("%%cypher\nMATCH (j:Job {fqn: $na", CompletionContext(NameKind.PARAMETER, "na")),
    ],
)
def test_the_kind_is_known_from_what_stands_before(text: str, place: CompletionContext) -> None:
    assert place_of(text) == place


@pytest.mark.parametrize(
    "text",
    ["lineage", "%time x", "%lineage --u", "graph.lineage(x", "graph.other('a", "%%cypher\nMAT"],
)
def test_elsewhere_names_are_left_to_others(text: str) -> None:
    assert place_of(text) is None
