"""The kinds of tasks."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, ParamSpec, TypeVar

from lineagegraph.authoring.arguments import arguments_of, check_placeholders
from lineagegraph.authoring.callables import function_of
from lineagegraph.authoring.canonical import captured
from lineagegraph.authoring.declared import project_root
from lineagegraph.authoring.handle import Handle
from lineagegraph.authoring.module_of import module_of
from lineagegraph.authoring.order import place_all
from lineagegraph.authoring.project_scope import Own
from lineagegraph.authoring.texts import texts_in
from lineagegraph.errors import DefinitionError
from lineagegraph.model.names.nearest import did_you_mean
from lineagegraph.model.pipelines.definition import (
    CommandTask,
    GroupTask,
    NotebookTask,
    Pipeline,
    PipelineTask,
    PythonTask,
    SparkSubmitTask,
    SqlTask,
)

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True, eq=False, kw_only=True)
class TaskFunction(Handle, Generic[P, R]):
    """A function, or what is called like one, that is a task; called by hand it is just that."""

    function: Callable[P, R]

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        return self.function(*args, **kwargs)

    def work(self, parameters: Sequence[str]) -> PythonTask:
        """Return the function's name, what it has, and which arguments it is called with."""
        function, root = function_of(self.function), project_root(self.origin)
        assert function is not None
        arguments = arguments_of(self.function, self.name, parameters, self.origin)
        self._check_identity(arguments)
        return PythonTask(
            module=module_of(function, root),
            qualname=function.__qualname__,
            arguments=arguments,
            captured=captured(self.function, Own(root)),
        )

    def _check_identity(self, arguments: Sequence[str]) -> None:
        """Raise `DefinitionError` where what tells it from others is nothing that it is given."""
        for name in self.identity or ():
            if name not in arguments:
                raise DefinitionError(
                    f"{self.origin}: task {self.name}: identity {name!r} is no parameter that its "
                    f"function takes{did_you_mean(name, arguments)}"
                )


@dataclass(frozen=True, eq=False, kw_only=True)
class Command(Handle):
    """A program."""

    command: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)

    def work(self, parameters: Sequence[str]) -> CommandTask:
        """Return the program, its `{parameter}`s found to be ones."""
        texts = (*self.command, *self.environment.values())
        check_placeholders(texts, self.name, parameters, self.origin)
        return CommandTask(command=self.command, environment=dict(self.environment))


@dataclass(frozen=True, eq=False, kw_only=True)
class SparkSubmit(Handle):
    """A file for `spark-submit`."""

    file: str
    main: str | None = None
    args: tuple[str, ...] = ()
    conf: Mapping[str, str] = field(default_factory=dict)

    def work(self, parameters: Sequence[str]) -> SparkSubmitTask:
        """Return what to submit, its `{parameter}`s found to be ones."""
        check_placeholders((self.file, *self.args), self.name, parameters, self.origin)
        return SparkSubmitTask(file=self.file, main=self.main, args=self.args, conf=dict(self.conf))


@dataclass(frozen=True, eq=False, kw_only=True)
class Query(Handle):
    """A query in Spark SQL."""

    sql: str
    target: str | None = None
    mode: str = "overwrite"

    def work(self, parameters: Sequence[str]) -> SqlTask:
        """Return the query, and the table that it fills."""
        return SqlTask(sql=self.sql, target=self.target, mode=self.mode)


@dataclass(frozen=True, eq=False, kw_only=True)
class Notebook(Handle):
    """A Jupyter notebook."""

    file: str
    params: Mapping[str, Any] = field(default_factory=dict)

    def work(self, parameters: Sequence[str]) -> NotebookTask:
        """Return the notebook and its parameters, their `{parameter}`s found to be ones."""
        check_placeholders(texts_in(self.params), self.name, parameters, self.origin)
        return NotebookTask(file=self.file, params=dict(self.params))


@dataclass(frozen=True, eq=False, kw_only=True)
class Group(Handle):
    """Tasks under one name."""

    tasks: tuple[Handle, ...]

    def work(self, parameters: Sequence[str]) -> GroupTask:
        """Return the tasks in it."""
        return GroupTask(tasks=place_all(self.tasks, f"group {self.name}", parameters, self.origin))


@dataclass(frozen=True, eq=False, kw_only=True)
class NestedPipeline(Handle):
    """A pipeline as a task of another; `of` is the handle that its `pipeline()` returned."""

    of: Handle
    definition: Pipeline
    params: Mapping[str, Any]

    def work(self, parameters: Sequence[str]) -> PipelineTask:
        """Return the pipeline with the values for its parameters."""
        return PipelineTask(pipeline=self.definition, params=dict(self.params))

    def is_meant_by(self, other: Handle) -> bool:
        """Say whether `after=other` means this task: the pipeline itself does as well."""
        return other is self or other is self.of
