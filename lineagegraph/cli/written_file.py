"""Files that commands write where the user wants them."""

import os
from pathlib import Path


def write_file(path: Path, text: str) -> None:
    """Write a text as a whole: on a full disk, the file stays as it was.

    An error of the disk names the file. A pipe or a device, such as `/dev/stdout`, takes it as it
    comes, and so does a file in a folder that takes no other one.
    """
    target = path.resolve()
    is_replaceable = not path.exists() or (path.is_file() and os.access(path, os.W_OK))
    if not (is_replaceable and os.access(target.parent, os.W_OK)):
        path.write_text(text, encoding="utf-8")
        return
    part = target.with_name(f".{os.getpid()}.part")
    try:
        part.write_text(text, encoding="utf-8")
        if target.exists():
            part.chmod(target.stat().st_mode)
        part.replace(target)
    except OSError as error:
        error.filename, error.filename2 = str(path), None
        raise
    finally:
        part.unlink(missing_ok=True)
