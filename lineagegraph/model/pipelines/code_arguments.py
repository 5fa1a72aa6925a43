"""Parameters in the code that a command hands to a shell or another interpreter.

A value there would be code: `$(rm -rf /)` as a day. As an argument of its own it stays a value.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_LETTERS = re.compile(r"-[A-Za-z0-9]+")
_SHORT = len("-o")
_VERSION = re.compile(r"[0-9.]*(?:\.exe)?$")


class _Interpreter(NamedTuple):
    """How a program takes code: by options, alone or among other letters, or by its place."""

    letters: str = ""
    options: tuple[str, ...] = ()
    valued: tuple[str, ...] = ()  # options with a value that is no code
    is_first: bool = False  # the first argument is code
    is_rest: bool = False  # all arguments after such an option are code
    is_joined: bool = False  # all arguments together are
    is_anywhere: bool = False  # the option may follow other arguments


_SHELL = _Interpreter("c", ("--command",), ("-o", "+o", "-O", "+O", "--rcfile", "--init-file"))
_USER = _Interpreter("c", ("--command", "--session-command"), is_anywhere=True)
_JOINED = _Interpreter(is_joined=True)
_POWERSHELL = _Interpreter("", ("-command", "-c", "-encodedcommand", "-ec", "-e"), is_rest=True)
_PYTHON = _Interpreter("c", (), ("-W", "-X"))
_NODE = _Interpreter("ep", ("--eval", "--print"), ("-r", "--require", "--import", "--loader"))
_AWK = _Interpreter("e", ("--source",), ("-v", "-F", "--assign"), is_first=True)
_SHELLS = (
    *("sh", "bash", "rbash", "dash", "ash", "zsh", "ksh", "mksh"),
    *("yash", "csh", "tcsh", "xonsh", "nu"),
)
_INTERPRETERS = {
    **dict.fromkeys(
        [
            "sh",
            "bash",
            "rbash",
            "dash",
            "ash",
            "zsh",
            "ksh",
            "mksh",
            "yash",
            "csh",
            "tcsh",
            "xonsh",
            "nu",
        ],
        _SHELL,
    ),
    "fish": _Interpreter("cC", ("--command", "--init-command")),
    **dict.fromkeys(("su", "runuser", "script", "flock"), _USER),
    **dict.fromkeys(("eval", "ssh", "watch", "parallel"), _JOINED),
    **dict.fromkeys(("powershell", "pwsh"), _POWERSHELL),
    "env": _Interpreter("S", ("--split-string",), ("-u", "--unset", "-C", "--chdir")),
    "cmd": _Interpreter("", ("/c", "/k", "/r"), is_rest=True, is_anywhere=True),
    **dict.fromkeys(("python", "pythonw", "pypy", "ipython"), _PYTHON),
    "perl": _Interpreter("eE", (), ("-I",)),
    "ruby": _Interpreter("e", (), ("-I", "-r", "-C")),
    "php": _Interpreter("rBRE", ("--run",), ("-d", "-c", "-z")),
    **dict.fromkeys(("node", "nodejs", "bun"), _NODE),
    "deno": _Interpreter("", ("eval",)),
    "lua": _Interpreter("e", (), ("-l",)),
    **dict.fromkeys(("R", "Rscript", "scala", "groovy", "osascript"), _Interpreter("e")),
    "julia": _Interpreter("eE", ("--eval", "--print"), ("-L", "-p", "-t", "-J")),
    **dict.fromkeys(("awk", "gawk", "mawk", "nawk"), _AWK),
    "sed": _Interpreter("e", ("--expression",), is_first=True),
}
# The first argument is a file of code, not code, after one of these.
_FILES = ("-f", "--file")
_WRAPPERS = frozenset(
    [
        "env",
        "nohup",
        "nice",
        "time",
        "sudo",
        "doas",
        "exec",
        "setsid",
        "stdbuf",
        "timeout",
        "uv",
        "run",
    ]
)


def find_code_fault(command: Sequence[str], parameters: Collection[str]) -> str | None:
    """Return what is wrong with a command that makes code of a parameter, or None."""
    for place, word in enumerate(command):
        is_program = _is_program(command[:place])
        known = _interpreter(word, is_program)
        for text in _codes(known, command[place + 1 :], is_program) if known else ():
            for name in _PLACEHOLDER.findall(text):
                if name in parameters:
                    return _fault(name, word)
    return None


def _fault(name: str, program: str) -> str:
    shown = f"""["sh", "-c", 'echo "$1"', "sh", "{{{name}}}"]"""
    variable = f"LINEAGEGRAPH_PARAM_{name.upper()}"
    return (
        f"{{{name}}} would run as code of {program}: pass it as an argument, as in {shown}, "
        f"or read the variable {variable}"
    )


def _interpreter(word: str, is_program: bool) -> _Interpreter | None:
    """Return how a program takes code; one that a parameter names is taken for a shell."""
    if _PLACEHOLDER.fullmatch(word):
        return _SHELL if is_program else None
    name = re.split(r"[/\\]", word)[-1]
    short = _VERSION.sub("", name)
    return _INTERPRETERS.get(name) or _INTERPRETERS.get(short) or _INTERPRETERS.get(short.lower())


def _is_program(before: Sequence[str]) -> bool:
    """Return whether only wrappers, their options and variables come before."""
    return all(
        one in _WRAPPERS or one[:1] in "-0123456789" or "=" in one.partition("/")[0]
        for one in before
    )


def _codes(known: _Interpreter, rest: Sequence[str], is_program: bool) -> Iterator[str]:
    """Yield the arguments that are code, and those that a value could make such an option."""
    if known.is_joined:
        yield from rest if is_program else ()
        return
    words, is_awaited, has_code = iter(rest), known.is_first and is_program, False
    for word in words:
        if word in known.valued or (known.is_first and word in _FILES):
            next(words, None)
            is_awaited = is_awaited and word in known.valued
            has_code = has_code or word not in known.valued
        elif _is_code_option(known, word):
            yield word
            yield from words if known.is_rest else ()
            is_awaited = has_code = True
        elif is_awaited and word[:1] not in ("-", "+"):
            yield word
            is_awaited, has_code = False, True
        elif is_program and not has_code and word.lstrip("-")[:1] == "{":
            yield word
        elif word[:1] not in ("-", "+") and not known.is_anywhere:
            # The file of a script, or the first argument of the code: so are those after it.
            return


def _is_code_option(known: _Interpreter, word: str) -> bool:
    if word.lower() in known.options or word.partition("=")[0] in known.options:
        return True
    if word.startswith(tuple(one for one in known.valued if len(one) == _SHORT)):
        return False
    is_cluster = _LETTERS.fullmatch(word) and any(letter in known.letters for letter in word[1:])
    return bool(is_cluster) or (word[:1] == "-" and word[1:2] in tuple(known.letters))
