"""One spelling for a value, and the hash of that spelling."""

import hashlib
import json
from typing import Any


def canonical_json(value: Any) -> str:
    """Return JSON with sorted keys and no spaces: equal values give equal text on every machine."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def canonical_hash(value: Any) -> str:
    """Return the SHA-256 of `canonical_json(value)`, 64 hexadecimal digits."""
    return hashlib.sha256(canonical_json(value).encode("utf-8", "surrogatepass")).hexdigest()
