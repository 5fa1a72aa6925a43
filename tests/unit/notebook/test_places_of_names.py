"""What kind of name belongs where somebody types."""

import pytest

from lineagegraph.notebook.completion.names import Kind
from lineagegraph.notebook.completion.place import Place, place_of


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("%lineage ", Place(Kind.NODE, "")),
        ("%lineage lo", Place(Kind.NODE, "lo")),
        ("x = %lineage --up 2 dataset:lake:ri", Place(Kind.NODE, "dataset:lake:ri")),
        ("1\n%runs nyc.", Place(Kind.JOB, "nyc.")),
        ("%triggers d", Place(Kind.TRIGGER, "d")),
        ("%cypher names/", Place(Kind.QUERY, "names/")),
        ("graph.lineage('ri", Place(Kind.NODE, "ri", "'", "graph")),
        ("x = [graph.runs(\"it's", Place(Kind.JOB, "it's", '"', "graph")),
        ("%%cypher\nMATCH (j:Jo", Place(Kind.LABEL, "Jo")),
        ("%%cypher\nMATCH (:Job|Da", Place(Kind.LABEL, "Da")),
        ("%%cypher x <<\nMATCH (a)-[r:RE", Place(Kind.TYPE, "RE")),
        ("%%cypher\nMATCH (a)-[:READS|WR", Place(Kind.TYPE, "WR")),
        ("%%cypher\nMATCH (j) WHERE j:Jo", Place(Kind.LABEL_OR_TYPE, "Jo")),
        ("%%cypher\nMATCH (j)\nRETURN j.fq", Place(Kind.PROPERTY, "fq")),
        ("%%cypher\nMATCH (j:Job {fq", Place(Kind.PROPERTY, "fq")),
        ("%%cypher\nMATCH (j:Job {fqn: $na", Place(Kind.PARAMETER, "na")),
    ],
)
def test_the_kind_is_known_from_what_stands_before(text: str, place: Place) -> None:
    assert place_of(text) == place


@pytest.mark.parametrize(
    "text",
    ["lineage", "%time x", "%lineage --u", "graph.lineage(x", "graph.other('a", "%%cypher\nMAT"],
)
def test_elsewhere_names_are_left_to_others(text: str) -> None:
    assert place_of(text) is None
