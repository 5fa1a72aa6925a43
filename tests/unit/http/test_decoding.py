"""What JSON is, and what it only looks like."""

import pytest

from lineagegraph.errors import InvalidEvent
from lineagegraph.http.ingest.decoding import decode_array, decode_json
from lineagegraph.http.ingest.facet_check import FacetCheck
from lineagegraph.http.ingest.received import receive


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"\xff",
        b"{'a': 1}",
        b"[1,]",
        b"[" * 100_000,
        b"[" * 100_000 + b"]" * 100_000,
        b'{"a":' * 100_000,
        b"1" * 5000,
        b"01",
    ],
)
def test_what_is_no_json_is_refused(body: bytes) -> None:
    with pytest.raises(InvalidEvent):
        decode_json(body)


def test_integers_of_any_size_are_kept() -> None:
    assert decode_json(b'{"a": 1180591620717411303424, "b": -9223372036854775809}') == {
        "a": 2**70,
        "b": -(2**63) - 1,
    }


def test_the_last_of_equal_keys_counts() -> None:
    assert decode_json(b'{"a": 1, "a": 2}') == {"a": 2}


@pytest.mark.parametrize("body", [b"{}", b"1", b"null", b'"[]"'])
def test_a_batch_is_an_array(body: bytes) -> None:
    with pytest.raises(InvalidEvent, match="array"):
        decode_array(body)


@pytest.mark.parametrize(
    "value",
    [b"NaN", b"Infinity", b"-Infinity", b"1e999", b'"\\ud800"', b'"a\\udfff b"', b'{"\\ud800": 1}'],
)
def test_what_python_takes_beyond_json_is_refused_with_its_path(value: bytes) -> None:
    body = b'{"run": {"facets": {"x": [1, ' + value + b"]}}}"
    with pytest.raises(InvalidEvent) as refused:
        receive(decode_json(body), FacetCheck())
    assert refused.value.path == "$.run.facets.x[1]"
