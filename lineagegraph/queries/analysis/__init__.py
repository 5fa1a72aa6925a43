"""Analyses of the whole graph: dependencies, slow work, changes and ownership."""

from lineagegraph.queries.analysis.blast_radius import BlastRadius, read_blast_radius
from lineagegraph.queries.analysis.critical_path import (
    CriticalPath,
    Leg,
    read_critical_path,
    read_waits,
)
from lineagegraph.queries.analysis.cycles import Cycle, find_cycles
from lineagegraph.queries.analysis.day import read_runs_of_day
from lineagegraph.queries.analysis.days_compared import DaysCompared, compare_days
from lineagegraph.queries.analysis.orphans import Orphan, find_orphans
from lineagegraph.queries.analysis.owners import Owned, list_owners
from lineagegraph.queries.analysis.parent_cycles import ParentCycle, find_parent_cycles
from lineagegraph.queries.analysis.root_cause import RootCause, find_root_cause
from lineagegraph.queries.analysis.trends import (
    ChangePoint,
    Measure,
    Trend,
    TrendSummary,
    read_trend,
    read_trend_of,
    read_trends,
)
from lineagegraph.queries.analysis.unused_columns import find_unused_columns
from lineagegraph.queries.analysis.weak_points import WeakPoint, find_weak_points

__all__ = [
    "BlastRadius",
    "ChangePoint",
    "CriticalPath",
    "Cycle",
    "DaysCompared",
    "Leg",
    "Measure",
    "Orphan",
    "Owned",
    "ParentCycle",
    "RootCause",
    "Trend",
    "TrendSummary",
    "WeakPoint",
    "compare_days",
    "find_cycles",
    "find_orphans",
    "find_parent_cycles",
    "find_root_cause",
    "find_unused_columns",
    "find_weak_points",
    "list_owners",
    "read_blast_radius",
    "read_critical_path",
    "read_runs_of_day",
    "read_trend",
    "read_trend_of",
    "read_trends",
    "read_waits",
]
