"""What went wrong, in one line."""


def one_line(error: BaseException) -> str:
    """Return an error's text without line ends, its type where it has none."""
    return " ".join(str(error).split()) or type(error).__name__
