"""The event of a watched tag whose values reach new columns."""


def name_tag_event(tag: str) -> str:
    """Return the name of the external event."""
    return f"tag:{tag}:reaches"
