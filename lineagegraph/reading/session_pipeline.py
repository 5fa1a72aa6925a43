"""Register a pipeline that a notebook, prompt or script has stated."""

from pathlib import Path

from lineagegraph.authoring.declared import is_reading, project_root
from lineagegraph.authoring.pipelines import PipelineHandle
from lineagegraph.authoring.project_scope import NotebookCells, ProjectScope
from lineagegraph.code.by_value.pack import keep_functions
from lineagegraph.code.closure import Closures, CodeHash
from lineagegraph.code.files import imported_files, named_files
from lineagegraph.code.signed import signed
from lineagegraph.model.pipelines.masked import mask_pipeline
from lineagegraph.model.pipelines.task_code import TaskCode
from lineagegraph.private_files import TemporaryFolder
from lineagegraph.project.archive import SourceArchive, contents, pack
from lineagegraph.project.imports import imported_by, with_imported
from lineagegraph.project.root import relative_paths
from lineagegraph.reading.parser import ParsedPipeline, make_version
from lineagegraph.reading.write_versions import SyncedPipeline, store_source, write_pipelines
from lineagegraph.settings import load_settings
from lineagegraph.store.connect import open_graph

TYPED_IN = "__main__"


def parse_here(handle: PipelineHandle) -> ParsedPipeline:
    """Return the current version of a pipeline, with the code of its tasks.

    The code is the cells of a notebook with their functions, and the project's files.
    """
    root = project_root(handle.origin).resolve()
    script = Path(handle.origin.declared_in).resolve()
    is_script = script.is_file() and script.is_relative_to(root)
    code, source = _keep(handle, root, {script} if is_script else set())
    if is_script:
        hashed = _hash(handle, source, script, root)
    else:
        hashed = Closures(contents(source), ()).whole("it was not stated in a file")
    pipeline, private = mask_pipeline(handle.definition)
    version = make_version(
        pipeline,
        source.sha256,
        hashed,
        script.relative_to(root).as_posix() if is_script else TYPED_IN,
        str(root),
    )
    return ParsedPipeline(version, source, handle.origin.line, code, private=private)


def _hash(handle: PipelineHandle, source: SourceArchive, script: Path, root: Path) -> CodeHash:
    """Return the hash that the definition file would have if it was read."""
    modules = relative_paths(imported_files(script, root), root)
    data = relative_paths(named_files([handle.definition], root), root)
    file, line = Path(handle.origin.file).resolve(), handle.origin.line
    (stated_in,) = relative_paths([file], root) or {str(file)}
    return Closures(contents(source), modules).hash(handle.definition, stated_in, line, data)


def _keep(
    handle: PipelineHandle, root: Path, files: set[Path]
) -> tuple[TaskCode | None, SourceArchive]:
    met = ProjectScope(root, cells=NotebookCells())
    keep_functions(handle, met)
    assert met.cells
    cells = met.cells.contents
    files = files | {root / path for path in met.seen}
    for cell in cells.values():
        files |= imported_by(cell.decode(errors="replace"), root)
    needed = with_imported(files, root) | named_files([handle.definition], root)
    own = ProjectScope.of(root, needed)
    with TemporaryFolder() as folder:
        kept = _copied({path: (root / path).read_bytes() for path in own.files} | cells, folder)
        source = pack(Path(folder), kept)
    code = keep_functions(handle, ProjectScope(root, own.files, NotebookCells()))
    return signed(code) if code else None, source


def _copied(contents: dict[str, bytes], folder: str) -> list[Path]:
    for path, content in contents.items():
        file = Path(folder, path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    return [Path(folder, path) for path in contents]


def sync(pipeline: PipelineHandle) -> SyncedPipeline | None:
    """Write a pipeline that was stated here as a version to the graph of the settings.

    For notebooks, prompts and scripts. The version keeps the functions of its tasks by value, and
    the cells or files with them. While a definition file is read, this does nothing.
    """
    if is_reading():
        return None
    settings = load_settings()
    parsed = store_source(parse_here(pipeline), settings)
    with open_graph(settings) as graph:
        (synced,) = graph.write(write_pipelines, [parsed], application=settings.application)
        return synced
