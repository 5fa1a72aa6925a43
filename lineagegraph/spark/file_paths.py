"""Paths of files as the datasets that they are a part of."""

MANY_FILES = 20


def stable_paths(paths: list[str]) -> list[str]:
    """Return the folders instead of the files if these have temporary names or are many."""
    folders = [path.rpartition("/")[0] if _passing(path) else path for path in paths]
    if len(set(folders)) > MANY_FILES:
        folders = [path.rpartition("/")[0] for path in folders]
    return list(dict.fromkeys(folders))


def _passing(path: str) -> bool:
    return path.rpartition("/")[2].startswith("part-")
