"""The frontend's ES modules, linked into the single module that a widget may have.

A notebook runs a widget's module from a blob, which has no folder: relative imports find nothing.
So a widget carries its modules' texts, and its page makes a blob of each, the imported ones first.
The texts are the files that a server can also serve as they are. There is no build step: an
editable install is never stale, and neither it nor a wheel needs Node.
"""

import json
import re
from graphlib import TopologicalSorter
from importlib.resources import files
from posixpath import dirname, join, normpath

_FROM = re.compile(r' from "(\.[^"]+)";$', re.MULTILINE)
_LOADER = """\
const addresses = new Map();
for (const [name, text] of MODULES) {
  const linked = text.replace(/ from "(.+)";$/gm, (_, other) => ` from "${addresses.get(other)}";`);
  const parts = [linked, `\\n//# sourceURL=lineagegraph/${name}\\n`];
  addresses.set(name, URL.createObjectURL(new Blob(parts, { type: "text/javascript" })));
}
const entry = await import(addresses.get(MODULES.at(-1)[0]));
for (const address of addresses.values()) URL.revokeObjectURL(address);
export default entry.default;
"""


def read_frontend(file: str) -> str:
    """Return the text of a file of the frontend."""
    return files("lineagegraph").joinpath("frontend", file).read_text("utf-8")


def link_modules(entry: str) -> str:
    """Return one module that exports the default of another, which may import others.

    Imports may not form a cycle: a blob cannot name one that is made after it.
    """
    texts: dict[str, str] = {}
    imports: dict[str, list[str]] = {}
    waiting = [entry]
    while waiting:
        name = waiting.pop()
        if name not in texts:
            texts[name], imports[name] = _absolute(name, read_frontend(name))
            waiting += imports[name]
    modules = [(name, texts[name]) for name in TopologicalSorter(imports).static_order()]
    return f"const MODULES = {json.dumps(modules)};\n{_LOADER}"


def _absolute(name: str, text: str) -> tuple[str, list[str]]:
    """Return a module with its imports named from the root, and their names."""
    found: list[str] = []

    def named(match: re.Match[str]) -> str:
        found.append(normpath(join(dirname(name), match[1])))
        return f' from "{found[-1]}";'

    return _FROM.sub(named, text), found
