"""The choice of environment variables, by names and patterns."""

from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase

PREFIX = "LINEAGEGRAPH_"

#: variables that programs need; all processes of tasks and definition files have them
BASE = (
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "LANGUAGE",
    "LC_*",
    "TZ",
    "TMPDIR",
    "TEMP",
    "TMP",
    "TERM",
    "XDG_*_HOME",
    "XDG_RUNTIME_DIR",
    "PYTHONPATH",
    "PYTHONHOME",
    "PYTHONHASHSEED",
    "PYTHONUTF8",
    "PYTHONIOENCODING",
    "PYTHONUNBUFFERED",
    "PYTHONDONTWRITEBYTECODE",
    "PYTHONWARNINGS",
    "VIRTUAL_ENV",
    "CONDA_PREFIX",
    "JUPYTER_PATH",
    "JUPYTER_DATA_DIR",
    "JUPYTER_CONFIG_DIR",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    "OMP_NUM_THREADS",
    "JAVA_HOME",
    "SPARK_HOME",
    "SPARK_CONF_DIR",
    "SPARK_LOCAL_DIRS",
    "SPARK_LOCAL_IP",
    "SPARK_LOCAL_HOSTNAME",
    "SPARK_DIST_CLASSPATH",
    "SPARK_LAUNCHER_OPTS",
    "SPARK_SUBMIT_OPTS",
    "PYSPARK_PYTHON",
    "PYSPARK_DRIVER_PYTHON",
    "HADOOP_HOME",
    "HADOOP_CONF_DIR",
    "HADOOP_USER_NAME",
    "YARN_CONF_DIR",
    "HIVE_CONF_DIR",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "REQUESTS_CA_BUNDLE",
    "CURL_CA_BUNDLE",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
    "NO_PROXY",
    "http_proxy",
    "https_proxy",
    "all_proxy",
    "no_proxy",
    "KRB5*",
)

#: settings without secrets, with which a program of a task finds the same graph. A list of those
#: that pass, not of those that don't: a new setting with a secret is then no leak.
PUBLIC_SETTINGS = tuple(
    f"{PREFIX}{name}"
    for name in (
        "HOME",
        "CACHE",
        "NEO4J_URI",
        "NEO4J_USER",
        "NEO4J_DATABASE",
        "NEO4J_CA",
        "JAVA_HOME",
        "NAMESPACE",
        "APPLICATION",
        "INHERIT_NAMESPACE",
        "ZONE",
        "FRESHNESS_COUNTS",
        "TRIGGER_REPEAT_LIMIT",
        "TABLES",
        "TABLES_AGE",
        "SENSOR_KINDS",
        "SENSOR_SHARDS",
        "SENSOR_ROOTS",
        "SENSOR_HTTP_ALLOW",
        "SENSOR_HTTP_DENY",
        "SIGNING_KEY_FILE",
        "PASS_ENVIRONMENT",
    )
)


def choose(source: Mapping[str, str], patterns: Iterable[str]) -> dict[str, str]:
    """Return the variables that a name or a pattern matches.

    A pattern matches no variable of lineagegraph itself: each of these is passed by its full name.
    """
    listed = tuple(patterns)
    names = {one for one in listed if not _is_pattern(one)}
    wide = [one for one in listed if _is_pattern(one)]
    return {
        name: value
        for name, value in source.items()
        if name in names
        or (not name.startswith(PREFIX) and any(fnmatchcase(name, one) for one in wide))
    }


def _is_pattern(text: str) -> bool:
    return "*" in text or "?" in text
