"""Names of topics as OpenLineage has them, from the options of a source or an output.

Options may have secrets: only those that name servers and topics are read.
"""

import json
import re
from collections.abc import Iterable
from typing import Any

from lineagegraph.spark.dataset_names import DatasetName, name_path
from lineagegraph.spark.jvm import class_name, option, texts

_PACKAGE = "org.apache.spark.sql.kafka010."
# As Kafka reads an address: [protocol://]host:port.
_SERVER = re.compile(r"(?:[A-Za-z][\w+.-]*://)?(?P<server>(?:\[[\w:.%]+\]|[\w.%-]+)(?::\d+)?)")
_UNKNOWN = "unknown"


def is_kafka(value: Any) -> bool:
    """Return whether an object of the JVM is of a class of Spark's connector to Kafka."""
    return str(value.getClass().getName()).startswith(_PACKAGE)


class KafkaOptions:
    """The options of a source or an output: a map of Scala, or Spark's own of V2."""

    def __init__(self, options: Any) -> None:
        self._options = options
        self._is_v2 = class_name(options) == "CaseInsensitiveStringMap"
        keys = [] if self._is_v2 else texts(options.keys())
        self._keys = {key.lower(): key for key in keys}

    def _get(self, name: str) -> str | None:
        if self._is_v2:
            value = self._options.get(name)
        else:
            value = option(self._options.get(self._keys.get(name.lower(), name)))
        return None if value is None else str(value).strip()

    @property
    def servers(self) -> str:
        """The addresses to begin with."""
        return self._get("kafka.bootstrap.servers") or ""

    @property
    def topic(self) -> str | None:
        """The topic of all rows of an output; None if a column has it."""
        return self._get("topic") or None

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics of a source; none if they are given by a pattern."""
        if assigned := self._get("assign"):
            return tuple(json.loads(assigned))
        named = (self._get("subscribe") or "").split(",")
        return tuple(dict.fromkeys(name.strip() for name in named if name.strip()))

    @property
    def pattern(self) -> str:
        """The pattern of the topics of a source."""
        return self._get("subscribePattern") or ""


def topic_address(servers: str, topic: str) -> str:
    """Return the URL of a topic, with the first of the servers."""
    return f"{topic_namespace(servers)}/{topic}"


def topic_namespace(servers: str) -> str:
    """Return the namespace of the topics behind servers."""
    found = _SERVER.fullmatch(servers.split(",")[0].strip())
    return f"kafka://{found['server'] if found else _UNKNOWN}"


def name_topics(servers: str, topics: Iterable[str]) -> list[DatasetName]:
    """Return the datasets that topics are."""
    return [name_path(topic_address(servers, topic)) for topic in topics]
