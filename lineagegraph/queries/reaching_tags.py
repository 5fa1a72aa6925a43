"""Watched tags whose values reach a dataset, as text."""

from lineagegraph.store.lineage.tag_flow import ReachingTag

_MOST_NAMED = 20


def describe_reaching(one: ReachingTag) -> tuple[str, str]:
    """Return that the values of a watched tag reach a dataset, as a name with a value."""
    named = ", ".join(one.columns[:_MOST_NAMED])
    more = len(one.columns) - _MOST_NAMED
    return "reached by", f"{one.tag}: {named}" + (f" and {more} more" if more > 0 else "")
