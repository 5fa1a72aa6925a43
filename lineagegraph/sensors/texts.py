"""Errors in one line."""


def one_line(error: BaseException) -> str:
    """Return an error's text without line breaks, or its type if it has no text."""
    return " ".join(str(error).split()) or type(error).__name__
