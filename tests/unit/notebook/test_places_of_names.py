"""What kind of name belongs where somebody types."""

import pytest

from lineagegraph.notebook.completion.names import NameKind
from lineagegraph.notebook.completion.place import NameContext, place_of


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("%lineage ", NameContext(NameKind.NODE, "")),
        ("%lineage lo", NameContext(NameKind.NODE, "lo")),
        (
            "x = %lineage --up 2 dataset:lake:ri",
            NameContext(NameKind.NODE, "dataset:lake:ri"),
        ),
        ("1\n%runs nyc.", NameContext(NameKind.JOB, "nyc.")),
        ("%triggers d", NameContext(NameKind.TRIGGER, "d")),
        ("%cypher names/", NameContext(NameKind.QUERY, "names/")),
        ("graph.lineage('ri", NameContext(NameKind.NODE, "ri", "'", "graph")),
        ("x = [graph.runs(\"it's", NameContext(NameKind.JOB, "it's", '"', "graph")),
        ("%%cypher\nMATCH (j:Jo", NameContext(NameKind.LABEL, "Jo")),
        ("%%cypher\nMATCH (:Job|Da", NameContext(NameKind.LABEL, "Da")),
        ("%%cypher x <<\nMATCH (a)-[r:RE", NameContext(NameKind.TYPE, "RE")),
        ("%%cypher\nMATCH (a)-[:READS|WR", NameContext(NameKind.TYPE, "WR")),
        ("%%cypher\nMATCH (j) WHERE j:Jo", NameContext(NameKind.LABEL_OR_TYPE, "Jo")),
        ("%%cypher\nMATCH (j)\nRETURN j.fq", NameContext(NameKind.PROPERTY, "fq")),
        ("%%cypher\nMATCH (j:Job {fq", NameContext(NameKind.PROPERTY, "fq")),
        ("%%cypher\nMATCH (j:Job {fqn: $na", NameContext(NameKind.PARAMETER, "na")),
    ],
)
def test_the_kind_is_known_from_what_stands_before(text: str, place: NameContext) -> None:
    assert place_of(text) == place


@pytest.mark.parametrize(
    "text",
    ["lineage", "%time x", "%lineage --u", "graph.lineage(x", "graph.other('a", "%%cypher\nMAT"],
)
def test_elsewhere_names_are_left_to_others(text: str) -> None:
    assert place_of(text) is None
