"""The functions by which pandas, polars and Arrow read and write, with what they tell about it."""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext, suppress
from functools import wraps
from glob import has_magic
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

from lineagegraph.dataframes.described import Columns
from lineagegraph.dataframes.uses import DataUses, current_uses, noting_nothing
from lineagegraph.spark.dataset_names import DatasetName, name_path
from lineagegraph.spark.trimming import trim, trimmers
from lineagegraph.text import storable

#: names of the argument that says where
_PLACES = (
    *("filepath_or_buffer", "path_or_buf", "path", "io", "excel_writer", "source", "file"),
    *("target", "where", "output_file", "input_file", "base_dir", "root_path", "workbook"),
)
_HTTP = ("http://", "https://")
_PANDAS = ("csv", "parquet", "json", "excel", "feather", "orc", "pickle", "hdf", "stata", "xml")
_POLARS = ("csv", "parquet", "json", "ndjson", "ipc", "excel", "avro", "delta")


Follow = Callable[[DataUses, tuple[Any, ...], dict[str, Any], Any], None]
"""Notes a call by its arguments and its result."""


def follow_pandas(pandas: ModuleType) -> None:
    """Follow `read_…` and `DataFrame.to_…`."""
    for kind in (*_PANDAS, "table", "fwf", "spss", "sas"):
        follow_call(pandas, f"read_{kind}", _reads)
    for kind in _PANDAS:
        follow_call(pandas.DataFrame, f"to_{kind}", _writes)
        follow_call(pandas.Series, f"to_{kind}", _writes)


def follow_polars(polars: ModuleType) -> None:
    """Follow `read_…`, `scan_…`, `DataFrame.write_…` and `LazyFrame.sink_…`."""
    for kind in _POLARS:
        for verb in ("read", "scan"):
            follow_call(polars, f"{verb}_{kind}", _reads)
        follow_call(polars.DataFrame, f"write_{kind}", _writes)
        follow_call(polars.LazyFrame, f"sink_{kind}", _writes)


def follow_parquet(parquet: ModuleType) -> None:
    """Follow `pyarrow.parquet`."""
    follow_call(parquet, "read_table", _reads)
    follow_call(parquet, "write_table", _writes)
    follow_call(parquet, "write_to_dataset", _writes)


def follow_arrow_csv(csv: ModuleType) -> None:
    """Follow `pyarrow.csv`."""
    follow_call(csv, "read_csv", _reads)
    follow_call(csv, "write_csv", _writes)


def follow_arrow_datasets(dataset: ModuleType) -> None:
    """Follow `pyarrow.dataset`."""
    follow_call(dataset, "dataset", _reads)
    follow_call(dataset, "write_dataset", _writes)


def names_of(place: Any) -> list[DatasetName]:
    """Return the datasets at a path, a URL, an open file, a pattern, or a list of these."""
    if isinstance(place, list | tuple | set):
        return [name for one in place for name in names_of(one)]
    if isinstance(place, str | os.PathLike):
        place = os.path.expanduser(place)  # noqa: PTH111  # no Path: "s3://" would lose a slash
    for attribute in ("path", "name"):
        if not isinstance(place, str | os.PathLike):
            place = getattr(place, attribute, place)
    if not isinstance(place, str | os.PathLike):
        return []
    text = os.fspath(place)
    if not isinstance(text, str) or not text:
        return []
    if text.lower().startswith(_HTTP):
        text = text.partition("?")[0]  # no pattern
    else:
        if "://" not in text:
            text = os.path.abspath(text)  # noqa: PTH100  # a Path would follow no `..` by text
        # There are folders such as `a[1]`, too.
        while has_magic(text) and not Path(text).exists():
            text = text.rpartition("/")[0]
    return [trim(name_path(storable(text)), trimmers(""))] if text else []


def columns_of(value: Any) -> Columns:
    """Return the columns of a frame or table of any of the libraries."""
    if callable(collect := getattr(value, "collect_schema", None)):  # polars
        return {str(name): str(type_) for name, type_ in collect().items()}
    if (schema := getattr(value, "schema", None)) is not None:  # Arrow
        return dict(zip(schema.names, map(str, schema.types), strict=True))
    types = getattr(value, "dtypes", None)  # pandas
    return {str(name): str(type_) for name, type_ in getattr(types, "items", tuple)()}


def follow_call(
    owner: Any,
    name: str,
    follow: Follow,
    *,
    failed: Follow | None = None,
    sees_variables: bool = False,
) -> None:
    """Put a function in place of one of a library, which calls it and notes its data.

    `failed` is called with the error in place of the result. `sees_variables` of one that looks up
    names in the frame of its caller.
    """
    own = getattr(owner, name, None)
    if own is None or hasattr(own, "__lineagegraph__"):
        return

    @wraps(own)
    def call(*args: Any, **kwargs: Any) -> Any:
        uses = current_uses()
        # A library may call its own functions, or those of another.
        with noting_nothing() if uses else nullcontext():
            try:
                if sees_variables:
                    result = _call_in(sys._getframe(1), own, args, kwargs)
                else:
                    result = own(*args, **kwargs)
            except Exception as error:
                if uses and failed:
                    with suppress(Exception):
                        failed(uses, args, kwargs, error)
                raise
            if uses:
                # What is noted must not fail what was done.
                with suppress(Exception):
                    follow(uses, args, kwargs, result)
        return result

    call.__lineagegraph__ = True  # type: ignore[attr-defined]
    # pickle finds it by its name where it stands now.
    if isinstance(owner, type):
        call.__module__, call.__qualname__ = owner.__module__, f"{owner.__qualname__}.{name}"
    else:
        call.__module__, call.__qualname__ = owner.__name__, name
    # A pickled function of a task finds it in the module that defines it.
    home = sys.modules.get(getattr(own, "__module__", None) or "")
    for place in (owner, home):
        if getattr(place, name, None) is own:
            setattr(place, name, call)


_CALL = compile("__own__(*__args__, **__kwargs__)", "<lineagegraph>", "eval")


def _call_in(frame: FrameType, own: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call from a frame with the variables of another."""
    given = {"__own__": own, "__args__": args, "__kwargs__": kwargs}
    return eval(_CALL, frame.f_globals, {**frame.f_locals, **given})


def _reads(uses: DataUses, args: tuple[Any, ...], kwargs: dict[str, Any], result: Any) -> None:
    names = names_of(_place(args, kwargs))
    for name in names:
        uses.read(name, columns_of(result), _rows(result) if len(names) == 1 else None)


def _writes(uses: DataUses, args: tuple[Any, ...], kwargs: dict[str, Any], result: Any) -> None:
    rows, *more = args or (kwargs.get("table", kwargs.get("data")),)
    for name in names_of(_place(more, kwargs)):
        uses.write(name, columns_of(rows), _rows(rows))


def _place(args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    return next((kwargs[name] for name in _PLACES if name in kwargs), args[0] if args else None)


def _rows(value: Any) -> int | None:
    """Return the number of rows of what has them in memory."""
    for attribute in ("num_rows", "height"):
        if isinstance(found := getattr(value, attribute, None), int):
            return found
    is_lazy = hasattr(value, "collect")
    return len(value) if not is_lazy and hasattr(value, "dtypes") else None
