"""The three events of OpenLineage, as typed values; facets stay as they were sent."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from lineagegraph.model.runs.states import EventType

Facets = dict[str, Any]


class Job(msgspec.Struct, frozen=True):
    """The job that an event is about, under its own name."""

    namespace: str
    name: str
    facets: Facets = {}


class Run(msgspec.Struct, frozen=True, rename="camel"):
    """The run that an event is about."""

    run_id: UUID
    facets: Facets = {}


class InputDataset(msgspec.Struct, frozen=True, rename="camel"):
    """A dataset that is read."""

    namespace: str
    name: str
    facets: Facets = {}
    input_facets: Facets = {}


class OutputDataset(msgspec.Struct, frozen=True, rename="camel"):
    """A dataset that is written."""

    namespace: str
    name: str
    facets: Facets = {}
    output_facets: Facets = {}


class RunEvent(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """Something happened to a run."""

    event_time: datetime
    run: Run
    job: Job
    event_type: EventType = EventType.OTHER
    inputs: list[InputDataset] = []
    outputs: list[OutputDataset] = []


class JobEvent(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """An event about a job, apart from any run."""

    event_time: datetime
    job: Job
    inputs: list[InputDataset] = []
    outputs: list[OutputDataset] = []


class StaticDataset(msgspec.Struct, frozen=True):
    """A dataset apart from any run or job."""

    namespace: str
    name: str
    facets: Facets = {}


class DatasetEvent(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """An event about a dataset, apart from any run or job."""

    event_time: datetime
    dataset: StaticDataset


AnyEvent = RunEvent | JobEvent | DatasetEvent
