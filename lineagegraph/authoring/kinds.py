"""The kinds of tasks."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, ParamSpec, TypeVar

from lineagegraph.authoring.canonical import captured
from lineagegraph.authoring.checked_values import texts_in
from lineagegraph.authoring.declared import project_root
from lineagegraph.authoring.functions import (
    arguments_of,
    check_placeholders,
    function_of,
    module_of,
)
from lineagegraph.authoring.handle import Handle, Output
from lineagegraph.authoring.project_scope import ProjectScope
from lineagegraph.authoring.resolve_tasks import resolve_tasks
from lineagegraph.authoring.takes import check_takes
from lineagegraph.errors import DefinitionError
from lineagegraph.model.names.nearest import did_you_mean
from lineagegraph.model.pipelines.code_arguments import find_code_fault
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
    """A function or other callable that is a task; a direct call runs the function only."""

    #: callable to run
    function: Callable[P, R]

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        return self.function(*args, **kwargs)

    @property
    def output(self) -> Output:
        """The value that it returns, for `takes` of a task after it."""
        return Output(self)

    def work(self, parameters: Sequence[str]) -> PythonTask:
        """Return the function's name, the values it has, and the arguments of its call."""
        function, root = function_of(self.function), project_root(self.origin)
        assert function is not None
        names = (*parameters, *self.takes) if self.takes else parameters
        arguments = arguments_of(self.function, self.name, names, self.origin)
        self._check_identity(arguments)
        optional = check_takes(self, self.function, arguments, parameters)
        return PythonTask(
            module=module_of(function, root),
            qualname=function.__qualname__,
            arguments=arguments,
            captured=captured(self.function, ProjectScope(root)),
            takes={name: one.task.name for name, one in self.takes.items()},
            optional=optional,
            branches=self.branches,
        )

    def _check_identity(self, arguments: Sequence[str]) -> None:
        """Raise `DefinitionError` if the identity has a name that the function does not take."""
        for name in self.identity or ():
            if name not in arguments:
                raise DefinitionError(
                    f"{self.origin}: task {self.name}: identity {name!r} is not a parameter of its "
                    f"function{did_you_mean(name, arguments)}"
                )


@dataclass(frozen=True, eq=False, kw_only=True)
class Command(Handle):
    """A program."""

    #: program and its arguments; `{name}` is a parameter's value
    command: tuple[str, ...]
    #: environment variables to add; `{name}` is a parameter's value
    environment: Mapping[str, str] = field(default_factory=dict)

    def work(self, parameters: Sequence[str]) -> CommandTask:
        """Return the program; raise `DefinitionError` for a `{name}` that is not a parameter.

        A parameter in code for a shell or another interpreter is refused too.
        """
        texts = (*self.command, *self.environment.values())
        check_placeholders(texts, self.name, parameters, self.origin)
        if fault := find_code_fault(self.command, parameters):
            raise DefinitionError(f"{self.origin}: task {self.name}: {fault}")
        return CommandTask(command=self.command, environment=dict(self.environment))


@dataclass(frozen=True, eq=False, kw_only=True)
class SparkSubmit(Handle):
    """A file for `spark-submit`."""

    #: path of a .py or .jar file; `{name}` is a parameter's value
    file: str
    #: main class of a .jar file; None without one
    main: str | None = None
    #: arguments of the program; `{name}` is a parameter's value
    args: tuple[str, ...] = ()
    #: Spark configuration, by name
    conf: Mapping[str, str] = field(default_factory=dict)

    def work(self, parameters: Sequence[str]) -> SparkSubmitTask:
        """Return the submission; raise `DefinitionError` for a `{name}` that is not a parameter."""
        check_placeholders((self.file, *self.args), self.name, parameters, self.origin)
        return SparkSubmitTask(file=self.file, main=self.main, args=self.args, conf=dict(self.conf))


@dataclass(frozen=True, eq=False, kw_only=True)
class Query(Handle):
    """A query in Spark SQL."""

    #: text of the query
    sql: str
    #: table to fill; None for none
    target: str | None = None
    #: Spark's mode of writing, such as overwrite
    mode: str = "overwrite"

    def work(self, parameters: Sequence[str]) -> SqlTask:
        """Return the query, and the table that it fills."""
        return SqlTask(sql=self.sql, target=self.target, mode=self.mode)


@dataclass(frozen=True, eq=False, kw_only=True)
class Notebook(Handle):
    """A Jupyter notebook."""

    #: path of the notebook
    file: str
    #: parameters of its own; `{name}` in a text is a parameter's value
    params: Mapping[str, Any] = field(default_factory=dict)

    def work(self, parameters: Sequence[str]) -> NotebookTask:
        """Return the notebook; raise `DefinitionError` for a `{name}` that is not a parameter."""
        check_placeholders(texts_in(self.params), self.name, parameters, self.origin)
        return NotebookTask(file=self.file, params=dict(self.params))


@dataclass(frozen=True, eq=False, kw_only=True)
class TaskGroup(Handle):
    """Tasks under one name."""

    #: tasks in the group
    tasks: tuple[Handle, ...]

    def work(self, parameters: Sequence[str]) -> GroupTask:
        """Return the tasks in it."""
        return GroupTask(
            tasks=resolve_tasks(self.tasks, f"group {self.name}", parameters, self.origin)
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class NestedPipeline(Handle):
    """A pipeline as a task of another; `of` is the handle that its `pipeline()` returned."""

    #: handle of the pipeline
    of: Handle
    #: the pipeline
    definition: Pipeline
    #: values for its parameters, by name
    params: Mapping[str, Any]

    def work(self, parameters: Sequence[str]) -> PipelineTask:
        """Return the pipeline with the values for its parameters."""
        return PipelineTask(pipeline=self.definition, params=dict(self.params))

    def is_meant_by(self, other: Handle) -> bool:
        """Return whether `after=other` means this task; the pipeline's own handle does too."""
        return other is self or other is self.of
