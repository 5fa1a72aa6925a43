"""Files of the project that a definition names."""

from pathlib import Path

from lineagegraph.authoring.declared import declared, project_root
from lineagegraph.authoring.origin import Origin
from lineagegraph.authoring.project import is_own
from lineagegraph.authoring.texts import checked_text
from lineagegraph.errors import DefinitionError


def project_file(name: str, what: str, origin: Origin) -> str:
    """Return the path below the root of a file, which is beside the definition or at that path.

    What it is read from is noted, also where it is missing.
    """
    checked_text(name, what, origin)
    root = project_root(origin).resolve()
    beside = Path(origin.declared_in).parent / name
    for place in (beside, root / name):
        file = Path(place).resolve()
        declared().looked_at.add(str(file))
        if file.is_file():
            if not is_own(file, root):
                raise DefinitionError(
                    f"{origin}: {what} {name!r} is not in the project ({root}): "
                    "keep it there, as it is part of each version"
                )
            return file.relative_to(root).as_posix()
    raise DefinitionError(
        f"{origin}: {what} {name!r}: no such file beside the definition, or below {root}"
    )
