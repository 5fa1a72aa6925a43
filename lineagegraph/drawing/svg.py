"""A lineage graph as one self-contained SVG picture, in light and dark colours."""

from collections.abc import Iterator
from html import escape
from math import inf

from lineagegraph.drawing.frames import JobFrame, lay_out_framed
from lineagegraph.drawing.layout import BoxPosition, Link, Size
from lineagegraph.drawing.near import narrowing
from lineagegraph.drawing.svg_sheet import (
    LETTER,
    SMALL_LETTER,
    SMALLEST,
    draw_line,
    draw_parts,
    draw_sheet,
    parts_width,
    short,
)
from lineagegraph.drawing.svg_sheet import ROW as PARTS_ROW
from lineagegraph.queries.lineage.lineage_graph import (
    DatasetRow,
    JobRow,
    Labels,
    LineageGraph,
    Node,
    frame_of,
    id_of,
    subtitle_of,
    title_of,
)

_HEAD = 48.0
_ROW = 22.0
_DOT = 18
# The width of a notebook's cell.
_CELL = 960.0


def to_svg(graph: LineageGraph, labels: Labels | None = None) -> str:
    """Draw jobs in the frames of their pipelines, datasets, and the flow of data between them.

    By column, only datasets are drawn, with lines from column to column.
    """
    return _draw(graph, labels or {})[1]


def to_cell_svg(graph: LineageGraph) -> str:
    """Draw as many steps around the requested nodes as a notebook's cell shows at a readable size.

    A line below tells how much is left out. Columns are drawn from their first sources on.
    """
    for part in [graph] if graph.by_column else narrowing(graph):
        left_out = len(graph.nodes) - len(part.nodes)
        note = f"{left_out} farther jobs and datasets are left out: to_svg() draws all"
        width, drawn = _draw(part, {}, note if left_out else "", widest=_CELL)
        if width * SMALLEST <= _CELL:
            break
    return drawn


def _draw(
    graph: LineageGraph, labels: Labels, note: str = "", widest: float = inf
) -> tuple[float, str]:
    """Return the width of the picture, and the picture with a note below it."""
    nodes: list[Node] = list(graph.datasets) if graph.by_column else list(graph.nodes)
    sizes = {node.key: _size(node, graph) for node in nodes}
    lines = list(_column_lines(graph) if graph.by_column else _flow_lines(graph, labels))
    links = [link for link, _, _ in lines]
    layout, frames = lay_out_framed(sizes, links, _framed(graph))
    parts = [
        *(_frame(name, frame) for name, frame in frames.items()),
        *(draw_line(route, *said) for route, (_, *said) in zip(layout.routes, lines, strict=True)),
        *(_box(node, layout.middles[node.key], sizes[node.key], graph) for node in nodes),
    ]
    height = layout.height
    if note:
        height += _ROW
        parts.append(f'<text class="place" x="0" y="{height:.0f}">{escape(note)}</text>')
    return layout.width, draw_sheet("Lineage graph", layout.width, height, parts, widest)


def _framed(graph: LineageGraph) -> dict[str, str]:
    """Return the frame of each job that has one, and of each dataset between jobs inside one.

    Such a dataset has no writer outside: drawn outside, data would flow out of the frame and back.
    """
    frames = {job.key: frame for job in graph.jobs if (frame := frame_of(job)) is not None}
    if graph.by_column:
        return {}
    for dataset in graph.datasets:
        writers = {frames.get(e.source, "") for e in graph.edges if e.target == dataset.key}
        readers = {frames.get(e.target, "") for e in graph.edges if e.source == dataset.key}
        if len(writers) == 1 and "" not in writers and writers <= readers:
            frames[dataset.key] = writers.pop()
    return frames


def _flow_lines(graph: LineageGraph, labels: Labels) -> Iterator[tuple[Link, str, str]]:
    names = {node.key: node.name for node in graph.nodes}
    for edge in graph.edges:
        runs = f" ({edge.runs} runs)" if edge.runs else ""
        label = labels.get((edge.source, edge.target))
        said = f"{names[edge.source]} → {names[edge.target]}{runs}{f': {label}' if label else ''}"
        yield Link(edge.source, edge.target), "flow", said


def _column_lines(graph: LineageGraph) -> Iterator[tuple[Link, str, str]]:
    jobs = {job.key: job.name for job in graph.jobs}
    rows = {
        column.key: (dataset, _row_offset(number, len(dataset.columns)), column.name)
        for dataset in graph.datasets
        for number, column in enumerate(dataset.columns)
    }
    for edge in graph.derivations:
        source, leaves, source_name = rows[edge.source]
        target, enters, target_name = rows[edge.target]
        how = ", ".join(filter(None, (edge.subtype or edge.type, edge.description)))
        by = f" by {jobs[edge.job]}" if edge.job in jobs else ""
        said = f"{source.name}.{source_name} → {target.name}.{target_name}: {how}{by}"
        yield Link(source.key, target.key, leaves, enters), f"column {edge.type.lower()}", said


def _size(node: Node, graph: LineageGraph) -> Size:
    size, parts = _plain_size(node, graph.by_column), graph.parts.get(node.key)
    if not parts:
        return size
    return Size(max(size.width, parts_width(parts)), size.height + PARTS_ROW)


def _plain_size(node: Node, by_column: bool) -> Size:
    longest = max(
        len(short(title_of(node))) * LETTER,
        len(short(subtitle_of(node))) * SMALL_LETTER,
    )
    if not by_column or isinstance(node, JobRow):
        dot = _DOT if isinstance(node, JobRow) and node.state else 0
        return Size(max(longest + 62 + dot, 130), _HEAD)
    texts = [short(c.name) + short(c.type or "", 18) for c in node.columns]
    longest = max([longest + 62, *(len(text) * SMALL_LETTER + 62 for text in texts), 150])
    return Size(longest, _HEAD + _ROW * len(node.columns) + 6)


def _row_offset(number: int, rows: int) -> float:
    height = _HEAD + _ROW * rows + 6
    return _HEAD + _ROW * (number + 0.5) - height / 2


def _box(node: Node, middle: BoxPosition, size: Size, graph: LineageGraph) -> str:
    x, y = middle.x - size.width / 2, middle.y - size.height / 2
    kind = "job" if isinstance(node, JobRow) else "dataset"
    root = " root" if node.key in graph.roots else ""
    radius = 16 if kind == "job" else 5
    rows = _rows(node, size) if isinstance(node, DatasetRow) and graph.by_column else ""
    parts = graph.parts.get(node.key)
    if parts:
        state = draw_parts(parts, _HEAD)
    else:
        state = _state(node, size) if isinstance(node, JobRow) else ""
    return (
        f'<g class="{kind}{root}" transform="translate({x:.1f} {y:.1f})">'
        f"<title>{escape(id_of(node))}</title>"
        f'<rect class="box" width="{size.width:.1f}" height="{size.height:.1f}" rx="{radius}"/>'
        f"{_ICONS[kind]}"
        f'<text class="name" x="40" y="21">{escape(short(title_of(node)))}</text>'
        f'<text class="place" x="40" y="37">{escape(short(subtitle_of(node)))}</text>'
        f"{state}{rows}</g>"
    )


_ICONS = {
    "job": '<circle class="icon" cx="23" cy="24" r="9.5"/>'
    '<path class="mark" d="M20 19.5v9l7.5-4.5z"/>',
    "dataset": '<path class="icon" d="M14 18v12a8 3.4 0 0 0 16 0V18"/>'
    '<ellipse class="icon" cx="22" cy="18" rx="8" ry="3.4"/>'
    '<path class="line" d="M14 24a8 3.4 0 0 0 16 0"/>',
}


def _state(job: JobRow, size: Size) -> str:
    if not job.state:
        return ""
    return (
        f'<circle class="state {escape(job.state.lower())}" cx="{size.width - 14:.1f}" cy="15" '
        f'r="4.5">'
        f"<title>latest run: {escape(job.state)}</title></circle>"
    )


def _rows(dataset: DatasetRow, size: Size) -> str:
    rows = [f'<path class="rule" d="M0 {_HEAD:.0f}H{size.width:.1f}"/>']
    for number, column in enumerate(dataset.columns):
        y = _HEAD + _ROW * (number + 0.5) + 4
        rows.append(
            f"<g><title>{escape(column.name)} {escape(column.type or '')}</title>"
            f'<text class="column" x="14" y="{y:.1f}">{escape(short(column.name))}</text>'
            f'<text class="type" x="{size.width - 12:.1f}" y="{y:.1f}">'
            f"{escape(short(column.type or '', 18))}</text></g>"
        )
    return "".join(rows)


def _frame(name: str, frame: JobFrame) -> str:
    (x, y), (width, height) = frame
    longest = max(int((width - 30) / LETTER), 4)
    return (
        f'<g class="frame"><title>{escape(name)}</title>'
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="14"/>'
        f'<text x="{x + 16:.1f}" y="{y + 22:.1f}">{escape(short(name, longest))}</text></g>'
    )
