"""Summaries of commands, from the text of their modules: to import all of these takes seconds."""

import ast
from pathlib import Path

_PACKAGE = "lineagegraph.cli."


def summary_of(place: str) -> str:
    """Return the summary of the command at `module:name`, or the `help` of a Typer of commands."""
    module, name = place.split(":")
    for statement in ast.parse(_file(module).read_text(encoding="utf-8")).body:
        match statement:
            case ast.FunctionDef(name=found) if found == name:
                return (ast.get_docstring(statement) or "").partition("\n\n")[0]
            case ast.ImportFrom(module=str(other), names=[ast.alias(name=found)]) if found == name:
                return summary_of(f"{other.removeprefix(_PACKAGE)}:{name}")
            case ast.Assign(targets=[ast.Name(id=found)], value=ast.Call(keywords=given)) if (
                found == name
            ):
                for keyword in given:
                    if keyword.arg == "help":
                        return str(ast.literal_eval(keyword.value))
    raise LookupError(f"{place}: no summary")


def _file(module: str) -> Path:
    path = Path(__file__).parent.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
