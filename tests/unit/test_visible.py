"""Control characters in names are shown, and never sent."""

import io
import json

import pytest
import structlog

from lineagegraph.cli import console
from lineagegraph.client.formatting import SafeConsole
from lineagegraph.drawing.dot import quoted as dot_quoted
from lineagegraph.drawing.mermaid import quoted as mermaid_quoted
from lineagegraph.drawing.svg_sheet import draw_sheet
from lineagegraph.http.metrics.families import gauge
from lineagegraph.liveness.logs import make_safe
from lineagegraph.text import visible

CLEAR = "\x1b[2J"
LINK = "\x1b]8;;http://evil\x07here\x1b]8;;\x07"
BIDI = "\u202egpj.exe"
EVIL = f"{CLEAR}{LINK}\x9b31m{BIDI}\r\nerror: no"
UNSEEN = ("\x1b", "\x07", "\x9b", "\u202e", "\r")


def test_each_control_character_has_its_escape():
    assert visible(f"a{CLEAR}b\u202ec\n\x85\U000e0001") == ("a\\x1b[2Jb\\u202ec\\n\\x85\\U000e0001")
    assert visible("é 漢 👩\u200d🚀 a\nb", keep="\n") == "é 漢 👩\u200d🚀 a\nb"


@pytest.mark.parametrize("is_terminal", [True, False])
def test_a_name_moves_no_cursor_and_makes_no_link(is_terminal):
    file = io.StringIO()
    shown = SafeConsole(
        file=file, force_terminal=is_terminal, color_system=None, markup=False, width=200
    )
    shown.print(f"{EVIL} [link=http://evil]x[/link]")
    assert not [one for one in UNSEEN if one in file.getvalue()]
    assert "[link=http://evil]x[/link]" in file.getvalue()
    assert "\\x1b[2J" in file.getvalue()


def test_a_cell_of_a_table_is_one_line(capsys):
    console.print_table(["name"], [[EVIL]], "none")
    assert not [one for one in UNSEEN if one in capsys.readouterr().out]


def test_a_table_for_a_pipe_folds_no_value_and_widens_no_line_for_a_long_one(capsys):
    long = "x" * 20_000
    for show in (console.print_table, console.print_rows):
        show(
            ["name", "why", "run"], [["a", long, "1"], ["bc", "short", "2"], ["漢", "", ""]], "none"
        )
        lines = capsys.readouterr().out.splitlines()
        assert lines == ["name  why    run", f"a     {long}  1", "bc    short  2", "漢"]


def test_json_has_no_control_character_and_reads_back(capsys):
    console.print_json({"name": EVIL, "other": "\\x41 \x7f\U000e0001"})
    text = capsys.readouterr().out
    assert not [one for one in (*UNSEEN, "\x7f", "\U000e0001") if one in text]
    assert json.loads(text) == {"name": EVIL, "other": "\\x41 \x7f\U000e0001"}


def test_a_log_line_is_one_line_without_secrets():
    line = make_safe(None, "info", {"event": EVIL, "error": "password=c4nary", "n": 1})
    assert not [one for one in (*UNSEEN, "\n") if one in line["event"]]
    assert (line["error"], line["n"]) == ("password=***", 1)
    rendered = structlog.dev.ConsoleRenderer(colors=False)(None, "info", dict(line))
    assert "\n" not in rendered


def test_drawings_and_metrics_show_them():
    sheet = draw_sheet("t", 1, 1, [f"<text>{EVIL}</text>"])
    labels = gauge("x", "X.", {(EVIL,): 1.0}, ["job"]).samples[0].labels["job"]
    for text in (sheet, labels, dot_quoted(EVIL), mermaid_quoted(EVIL)):
        assert not [one for one in UNSEEN if one in text], text
