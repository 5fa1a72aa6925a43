"""Python tasks in processes of their own, forked by a process that has no threads."""

from lineagegraph.execution.processes.fork_server import ForkServer
from lineagegraph.execution.processes.task_processes import TaskProcesses

__all__ = ["ForkServer", "TaskProcesses"]
