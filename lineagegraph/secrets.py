"""Secrets in values and texts: the one place that recognises and masks them.

A value is a secret by its name (`DB_PASSWORD`, `fs.s3a.secret.key`) or by its form: credentials in
a URL, `password=…`, `Bearer …`, keys of AWS, private keys. Its mask is `***`. To mask twice changes
nothing.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

MASK = "***"
_LONGEST_NAME = 200

# Names are compared in words: `dbPassword`, `DB_PASSWORD` and `db.password` are `db_password`.
_WORDS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[^A-Za-z0-9]+")
_KEY_OF = (
    "access|api|account|private|secret|shared|encryption|signing|signature|master|storage|ssh|auth"
    "|license|client|consumer|deploy|service|server|webhook|admin|app|aws|azure|gcp|hmac|rsa|aes"
    "|crypto|pgp|gpg|session|subscription|sas|kms|fernet"
)
_NAMES = re.compile(
    r"pass(word|wd|phrase|code)|secret|credential|signature|authorization|jaas"
    rf"|(^|_)({_KEY_OF})_?keys?($|_)|(access|api|account|private|secret)_?key"
    r"|(^|_)(tokens?|auth|cookies?|pwd|pw|sig|sas|jwt|bearer|pat|passphrases?)($|_)|[a-z0-9]_pass$"
    r"|(api|access|auth|bearer|session|refresh|id|sas)tokens?($|_)"
)
# Settings whose names have such a word, and whose values are none.
_PLAIN = re.compile(
    r"(^|_)(max|min|num|n)_tokens?$|tokens?_(per|count|limit|max|num)|credentials?_?provider"
    r"|auth_?(type|mode|mechanism)"
    r"|(key|token|secret|password)_?(file|path|class|provider|length|size|name)$"
)
# A quick test that most texts fail, so that ingestion stays fast.
_HINT = re.compile(
    r"pass|pwd|\bpw\b|secret|credential|authori[sz]ation|signature|token|auth|cookie|key|bearer"
    r"|\bsig\b|\bsas\b|jwt|identified|://|jdbc:|A[KS]IA|-----BEGIN|gh[opsur]_|xox|eyJ|lg_|\bAIza|_pat",
    re.IGNORECASE,
)
_PEM = re.compile(
    r"-----BEGIN (?P<kind>[A-Z ]*PRIVATE KEY(?: BLOCK)?)-----.*?(?:-----END (?P=kind)-----|\Z)",
    re.DOTALL,
)
_FORMS = re.compile(
    r"(?<![\w-])(?:A[KS]IA[0-9A-Z]{12,}|gh[opsur]_\w{16,}|github_pat_\w{16,}|xox[abposr]-[\w-]{8,}"
    r"|AIza[\w-]{30,}|eyJ[\w-]{8,}+\.[\w-]++\.[\w-]*|lg_[\w-]{40,})"
)
_SCHEMES = re.compile(
    r"(?P<scheme>\b(?:Bearer|(?i:bearer|basic|digest|sharedaccesssignature)"
    r"(?=\s+[\w~+/.-]{0,200}[\d=_+/.-])))(?P<gap>\s+)(?!realm\b|auth\b)[\w~+/.=%&-]{8,}"
)
_HEADER = re.compile(
    r"(?P<name>\b(?:proxy-)?authorization\\*[\"']?\s*[:=]\s*\\*[\"']?)"
    r"(?:bearer|basic|digest|token|negotiate)\s+[^\s\"'\\,;]+",
    re.IGNORECASE,
)
# A pattern that looks for an @ behind each scheme would look at a long text again and again.
_UNSPACED = re.compile(r"[^\s\"'<>`]++")
_SCHEME = re.compile(r"(?<![\w+.-])[\w+.-]++://")
_UNQUOTED = re.compile(r"[^\s\"']++")
_ORACLE = re.compile(r"(?P<start>\bjdbc:oracle:\w{1,20}:)[^\s\"'@][^\s\"']*@", re.IGNORECASE)
_CONTAINERS = ("abfs:", "abfss:", "wasb:", "wasbs:")  # what is before their @ is no user
_CONTAINER = re.compile(r"[a-z0-9$][a-z0-9-]*")
_SERVER = re.compile(r"[^:@]*(:\d*)?")
_QUOTED = (
    r"\\+\"[^\"\\]*\\+\"|'{3}.*?'{3}|\"{3}.*?\"{3}"
    r"|'(?:[^'\\]|\\.|'')*+'|\"(?:[^\"\\]|\\.)*+\""
)
_WORD = r"(?<![\w.$-])(?P<name>[\w.$-]++)"
_ASSIGNED = re.compile(rf"{_WORD}\\*+[\"']?\s*+(?:=>|:=|[:=](?![=/]))\s*+")
_VALUE = re.compile(
    rf"[bfru]{{0,2}}(?:{_QUOTED})|(?!\*\*\*)(?![{{\[(])['\"]?(?:[^\s&;\"'\\<>,]|,(?!\s))+",
    re.DOTALL | re.IGNORECASE,
)
# SQL: PASSWORD 'x', CREDENTIALS AS 'x', IDENTIFIED BY 'x'
_STATED = re.compile(rf"{_WORD}[\"`]?\s++(?:(?:as|by)\s++)?(?=\\*+['\"])", re.IGNORECASE)
_OPTION = re.compile(r"(?<!\S)(?P<name>--?[\w-]++)\s++(?!-)(?=\S)")
_ARGUMENT = re.compile(rf"{_QUOTED}|\S+", re.DOTALL)
_EXPRESSION = re.compile(r"[\w.]+\(|[A-Za-z_]\w*(\.[A-Za-z_]\w*)+$|[\w.]+\[|[$%]?\{\w+\}$|\$\w+$")
_BEGIN = "-----BEGIN "
_TRUTHS = ("true", "false")
# Short texts that were found to have no secrets: events repeat theirs.
_clean = set[str]()
_MOST_CLEAN, _LONGEST_CLEAN = 10_000, 500


@lru_cache(maxsize=10_000)
def names_secret(name: str) -> bool:
    """Return whether a value of this name is likely a secret."""
    name = name[-_LONGEST_NAME:]
    words = _WORDS.sub("_", name).lower().strip("_")
    return _NAMES.search(_PLAIN.sub("_", words)) is not None


def mask(value: Any, name: str = "") -> Any:
    """Return a value of JSON with its secrets masked; `name` is the name that it has.

    A map `{"name": …, "value": …}` names its value, as does the option before it in a list of
    arguments. An equal value is the same object.
    """
    if isinstance(value, str):
        if name and value and value.lower() not in _TRUTHS and names_secret(name):
            return MASK
        return value if value in _clean else mask_text(value)
    if isinstance(value, dict):
        return _mask_map(value)
    if isinstance(value, list | tuple):
        label = name if names_secret(name) else ""
        found = [mask(item, label or _option_before(value, i)) for i, item in enumerate(value)]
        same = all(one is other for one, other in zip(found, value, strict=True))
        return value if same else type(value)(found)
    if name and isinstance(value, int | float) and not isinstance(value, bool):
        return MASK if names_secret(name) else value
    return value


def mask_text(text: str) -> str:
    """Return a text with its secrets masked."""
    if text in _clean:
        return text
    masked = _masked(text) if _HINT.search(text) else text
    if masked != text:
        return masked
    if len(text) <= _LONGEST_CLEAN:
        if len(_clean) >= _MOST_CLEAN:
            _clean.clear()
        _clean.add(text)
    return text


def _masked(text: str) -> str:
    masked = text
    if _BEGIN in masked:
        masked = _PEM.sub(MASK, masked)
    # Each looks at every word, and few texts have such a one.
    if "@" in masked and "://" in masked:
        masked = _UNSPACED.sub(_without_user_info, masked)
    if "@" in masked and "oracle" in masked.lower():
        masked = _UNQUOTED.sub(_without_oracle_user, masked)
    masked = _HEADER.sub(rf"\g<name>{MASK}", masked)
    masked = _SCHEMES.sub(rf"\g<scheme>\g<gap>{MASK}", masked)
    masked = _without_values(masked, _STATED, _VALUE)
    masked = _without_values(masked, _ASSIGNED, _VALUE)
    masked = _without_values(masked, _OPTION, _ARGUMENT)
    return _FORMS.sub(MASK, masked)


def secrets_in(url: str) -> list[str]:
    """Return the secrets of a URL, as it has them and as they are meant."""
    if "://" not in url:
        return []
    try:
        parts = urlsplit(url)
    except ValueError:
        return []
    password = parts.netloc.rpartition("@")[0].partition(":")[2]
    asked = [value for name, value in parse_qsl(parts.query) if names_secret(name)]
    return [one for one in (password, unquote(password), *asked) if one]


def secret_paths(value: Any, path: str = "") -> Iterator[str]:
    """Yield the paths of likely secrets in a value of JSON."""
    if isinstance(value, dict):
        for name, item in value.items():
            below = f"{path}.{name}" if path else str(name)
            if names_secret(str(name)) and item not in (None, "", [], {}):
                yield below
            yield from secret_paths(item, below)
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from secret_paths(item, f"{path}[{number}]")
    elif isinstance(value, str) and secrets_in(value):
        yield path


def _mask_map(value: dict[Any, Any]) -> dict[Any, Any]:
    label = value.get("name") or value.get("key")
    label = label if isinstance(label, str) else ""
    changed, renamed = {}, {}
    for key, item in value.items():
        name = label if key in ("value", "default") else str(key)
        # Most are texts that were seen before.
        is_clean = type(item) is str and item in _clean and not names_secret(name)
        if not is_clean and (masked := mask(item, name)) is not item:
            changed[key] = masked
        # A key may itself be a URL with credentials.
        if "://" in name and isinstance(key, str) and (masked := mask_text(key)) is not key:
            renamed[key] = masked
    if not changed and not renamed:
        return value
    return {renamed.get(key, key): changed.get(key, item) for key, item in value.items()}


def _option_before(values: list[Any] | tuple[Any, ...], index: int) -> str:
    """Return the option that an argument of a command is the value of."""
    before = values[index - 1] if index else None
    item = values[index]
    if not isinstance(before, str) or not isinstance(item, str) or item.startswith("-"):
        return ""
    return before if before.startswith("-") and "=" not in before else ""


def _without_user_info(found: re.Match[str]) -> str:
    text = found[0]
    begin = _SCHEME.search(text) if "@" in text else None
    if begin is None or begin.end() > text.rindex("@"):
        return text
    scheme, rest = begin[0].removesuffix("//"), text[begin.end() :]
    authority = re.split(r"[/?#]", rest, maxsplit=1)[0]
    if "@" in authority:
        user, _, _ = authority.rpartition("@")
        if user == "git" or (scheme.lower() in _CONTAINERS and _CONTAINER.fullmatch(user)):
            return text
    elif _SERVER.fullmatch(authority):
        return text  # an @ in the path
    else:
        user, _, _ = rest.rpartition("@")  # a password with / ? or #
    return f"{text[: begin.start()]}{scheme}//{MASK}@{rest[len(user) + 1 :]}"


def _without_oracle_user(found: re.Match[str]) -> str:
    before, at, after = found[0].rpartition("@")
    return _ORACLE.sub(rf"\g<start>{MASK}@", before + at) + after


def _without_values(text: str, names: re.Pattern[str], values: re.Pattern[str]) -> str:
    """Return a text without the values that follow the names of secrets."""
    parts, at = [], 0
    for found in names.finditer(text):
        if found.start() < at or not _may_follow(found):
            continue
        value = values.match(text, found.end())
        if value is None or _is_code(found, value[0]):
            continue
        parts += [text[at : found.end()], _masked_quotes(value[0])]
        at = value.end()
    return "".join([*parts, text[at:]])


def _may_follow(found: re.Match[str]) -> bool:
    return found["name"].lower() == "identified" or names_secret(found["name"])


def _is_code(found: re.Match[str], value: str) -> bool:
    """Return whether an assignment with spaces is one of a program: `token = get_token()`."""
    return found[0][-1:].isspace() and _EXPRESSION.match(value) is not None


def _masked_quotes(value: str) -> str:
    opening = re.match(r"[bfruBFRU]{0,2}(\\*(?:'''|\"\"\"|['\"]))", value)
    if opening is None:
        return MASK
    return f"{value[: opening.start(1)]}{opening[1]}{MASK}{opening[1]}"
