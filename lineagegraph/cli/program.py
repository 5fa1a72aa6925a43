"""The program of the command line: its options, its streams and its errors."""

import codecs
import io
import os
import sys
from importlib.metadata import version
from typing import Annotated, NoReturn

import typer

from lineagegraph.cli.commands import Group
from lineagegraph.errors import LineagegraphError
from lineagegraph.model.actor import name_process
from lineagegraph.secrets import mask_text
from lineagegraph.text import escape_units, visible, without_middle

_INTERRUPTED = 130
_STDERR = 2

app = typer.Typer(
    name="lineagegraph",
    cls=Group,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Example: lineagegraph demo",
)


def run_program() -> NoReturn:
    """Run the command that was typed; print an expected error as one line."""
    name_process("cli")
    _open_closed_streams()
    _print_any_character()
    try:
        try:
            app(standalone_mode=True)
        finally:
            sys.stdout.flush()
    except (LineagegraphError, UnicodeError) as error:
        if "--debug" in sys.argv:
            raise
        from lineagegraph.cli.console import errors

        errors.print(f"error: {visible(_describe(error))}")
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(_INTERRUPTED)
    except OSError as error:
        # What the output did not take must not be tried again at the exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if "--debug" in sys.argv:
            raise
        if not isinstance(error, BrokenPipeError):
            typer.echo(f"error: {visible(_describe(error))}", err=True)
        sys.exit(1)
    sys.exit(0)


def _open_closed_streams() -> None:
    """Open standard streams that are closed, as a file could get the number of one."""
    while (number := os.open(os.devnull, os.O_RDWR)) <= _STDERR:
        os.set_inheritable(number, True)
    os.close(number)
    sys.stdout = sys.stdout or os.fdopen(1, "w")
    sys.stderr = sys.stderr or os.fdopen(_STDERR, "w")


def _print_any_character() -> None:
    r"""Print characters that the terminal lacks as `\u2713`, which JSON reads too."""
    codecs.register_error("escape_units", _escape)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="escape_units")


def _escape(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(escape_units, error.object[error.start : error.end])), error.end


def _describe(error: Exception) -> str:
    match error:
        # An argument may have bytes that are not UTF-8.
        case UnicodeEncodeError():
            text = without_middle(error.object, 200)
            return mask_text(
                f"{text!r} has characters that {error.encoding} lacks: "
                "write it in UTF-8, and set PYTHONUTF8=1 if the locale has another encoding"
            )
        case UnicodeDecodeError():
            return f"the input is not {error.encoding} (byte {error.start}): write it in UTF-8"
        case OSError():
            # Apart, as what follows the name of a key is masked.
            place = f"{mask_text(str(error.filename))}: " if error.filename else ""
            return f"{place}{mask_text(error.strerror or str(error))}"
    return mask_text(str(error))


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"lineagegraph {version('lineagegraph')}")
        raise typer.Exit


@app.callback()
def options(
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")] = False,
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    """Run, schedule and inspect data pipelines: what ran, with which code, on which data."""
    # Late, as shell completion, --help and --version neither log nor print tables.
    from lineagegraph.liveness.logs import configure_logs

    configure_logs()
