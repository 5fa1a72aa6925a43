"""One import before all others, so that what each needs once is in memory that they share."""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from lineagegraph.model.typed import decode_msgpack
from lineagegraph.reading.child import FileImport
from lineagegraph.reading.importer import Answer, ImportRequest

_NAME = "lineagegraph_rehearsal"
_DEFINITION = """
import lineagegraph as lg
from lineagegraph import on

@lg.task
def extract(day: str = ""):
    print(day)

@lg.task(after=extract, retries=2, timeout="1h")
def load(day: str = ""):
    print(day)

report = lg.command("report", ["echo"], after=load)
lg.pipeline("daily", tasks=[extract, load, report], trigger=on.cron("0 2 * * *"))
lg.pipeline("next", tasks=[lg.command("show", ["echo"])], trigger=on.success("daily"))
"""


def rehearse() -> None:
    """Import a definition of our own in this process, and forget it."""
    with TemporaryDirectory() as name:
        root = Path(name).resolve()
        file = root / f"{_NAME}.py"
        file.write_text(_DEFINITION)
        request = ImportRequest(
            file=str(file),
            root=str(root),
            namespace="default",
            zone="UTC",
            seconds=0,
            memory_bytes=0,
            archive_bytes=len(_DEFINITION) * 10,
            environment={},
        )
        sys.path.insert(0, str(root))
        try:
            answer = FileImport(request, answer=-1).rehearse()
        finally:
            sys.path.remove(str(root))
            sys.modules.pop(_NAME, None)
    decode_msgpack(msgspec.msgpack.encode(answer), into=Answer)
