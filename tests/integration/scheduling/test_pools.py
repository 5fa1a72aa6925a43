"""Slots of pools: never more than there are, by priority, then by how long a task has waited."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from lineagegraph.admin.pools import delete_pool, list_pools, read_pool, set_pool
from lineagegraph.errors import InvalidPool, NotFound, PoolInUse, RunError
from lineagegraph.freshness.pool_slots import SlotRequest, queue_waiting_for_slots, take_slots
from lineagegraph.graph import Graph
from lineagegraph.model.pipelines.entry import End, Entry, Start, Waits
from lineagegraph.model.runs.ids import new_id
from lineagegraph.reactions.end_runs import commit_ends, failure_events
from lineagegraph.runs.cancel import cancel_run
from lineagegraph.store.runs import launches, pools
from lineagegraph.store.runs.launches import OpenRun
from tests.integration.freshness.theatre import NOON, Theatre


class Stage:
    """Runs whose tasks ask for slots of the pool `spark`, at times that a test says."""

    def __init__(self, graph: Graph, slots: int) -> None:
        self.graph = graph
        self.theatre = Theatre(graph)
        self.now = NOON
        set_pool(graph, "spark", slots)

    def task(
        self, slots: int = 1, priority: int = 0, *, top: str | None = None, fence: int = 1
    ) -> SlotRequest:
        return SlotRequest(
            run_id=new_id(),
            root_id=top or self.theatre.queued(),
            fence=fence,
            job_key="k",
            pool="spark",
            slots=slots,
            priority=priority,
        )

    def ask(self, task: SlotRequest) -> Entry:
        self.now += timedelta(seconds=1)
        return self.graph.write(take_slots, task, now=self.now)

    def starts(self, *tasks: SlotRequest) -> list[bool]:
        return [isinstance(self.ask(one), Start) for one in tasks]

    def end(self, task: SlotRequest) -> None:
        self.graph.write(pools.release_claims, run_ids=[task.run_id])

    def due(self) -> list[str]:
        return [one.run_id for one in self.graph.read(pools.due_claims, now=self.now)]

    def launch(self, top: str, launch: str | None, fence: int = 1) -> None:
        self.graph.query(
            "MATCH (r:Run {id: $id}) SET r.launch = $launch, r.fence = $fence",
            {"id": top, "launch": launch, "fence": fence},
            write=True,
        )

    def taken(self) -> tuple[int, int]:
        (pool,) = list_pools(self.graph)
        return pool.taken, pool.waiting


def test_no_more_than_the_slots_are_taken_and_a_freed_one_goes_to_the_longest_wait(
    graph: Graph,
) -> None:
    stage = Stage(graph, 2)
    first, second, third, fourth = (stage.task() for _ in range(4))
    assert stage.starts(first, second, third, fourth) == [True, True, False, False]
    assert stage.taken() == (2, 2)
    assert stage.due() == []
    stage.end(first)
    assert stage.due() == [third.run_id]
    assert stage.starts(fourth, third, fourth) == [False, True, False]
    entry = stage.ask(fourth)
    assert isinstance(entry, Waits)
    assert entry.message == "waits for 1 of 2 slots of pool spark, of which 2 are taken"


def test_a_higher_priority_goes_first_though_it_came_later(graph: Graph) -> None:
    stage = Stage(graph, 1)
    holder, low, high = stage.task(), stage.task(), stage.task(priority=5)
    assert stage.starts(holder, low, high) == [True, False, False]
    stage.end(holder)
    assert stage.due() == [high.run_id]
    assert stage.starts(low, high) == [False, True]


def test_a_task_that_needs_many_slots_is_not_overtaken_for_ever(graph: Graph) -> None:
    stage = Stage(graph, 3)
    small, large, later = stage.task(), stage.task(3), stage.task()
    assert stage.starts(small, large, later) == [True, False, False]
    assert stage.due() == []
    stage.end(small)
    assert stage.starts(later, large) == [False, True]


def test_asking_again_takes_nothing_more(graph: Graph) -> None:
    stage = Stage(graph, 2)
    task = stage.task()
    assert stage.starts(task, task, task) == [True, True, True]
    assert stage.taken() == (1, 0)


def test_a_new_size_counts_at_once(graph: Graph) -> None:
    stage = Stage(graph, 1)
    first, second, third = (stage.task() for _ in range(3))
    assert stage.starts(first, second, third) == [True, False, False]
    set_pool(graph, "spark", 2)
    assert stage.due() == [second.run_id]
    assert stage.starts(second) == [True]
    set_pool(graph, "spark", 1)
    stage.end(first)
    assert stage.due() == []
    assert stage.starts(third) == [False]
    stage.end(second)
    assert stage.starts(third) == [True]


def test_a_task_that_needs_more_than_there_are_fails_and_holds_nobody_back(graph: Graph) -> None:
    stage = Stage(graph, 3)
    holder, large, small = stage.task(3), stage.task(3, priority=9), stage.task()
    assert stage.starts(holder, large, small) == [True, False, False]
    set_pool(graph, "spark", 2)
    stage.end(holder)
    assert set(stage.due()) == {large.run_id, small.run_id}
    assert stage.starts(small) == [True]
    entry = stage.ask(large)
    assert isinstance(entry, End)
    assert (entry.reason, entry.message) == (
        "POOL_TOO_SMALL",
        "pool spark has 2 slots and the task needs 3: lower pool_slots, or give it more by "
        "`lineagegraph pool set spark 3`",
    )


def test_tasks_of_a_pool_with_no_slots_wait_until_it_has_some(graph: Graph) -> None:
    stage = Stage(graph, 2)
    holder, waiting, later = stage.task(2), stage.task(2), stage.task()
    assert stage.starts(holder, waiting) == [True, False]
    set_pool(graph, "spark", 0)
    stage.end(holder)
    assert stage.due() == []
    entry = stage.ask(later)
    assert isinstance(entry, Waits)
    assert entry.message == "pool spark is closed: `lineagegraph pool set spark N` opens it"
    set_pool(graph, "spark", 2)
    assert stage.starts(later, waiting) == [False, True]


def test_an_unknown_pool_fails_the_task_and_says_how_to_make_it(graph: Graph) -> None:
    stage = Stage(graph, 1)
    stage.graph.query("MATCH (p:Pool) DELETE p", write=True)
    entry = stage.ask(stage.task())
    assert isinstance(entry, End)
    assert entry.reason == "UNKNOWN_POOL"
    assert "`lineagegraph pool set spark 1` makes it" in entry.message


def test_slots_of_a_dead_worker_are_free_once_its_run_is_reaped(graph: Graph) -> None:
    stage = Stage(graph, 1)
    dead, other = stage.task(), stage.task()
    assert stage.starts(dead, other) == [True, False]
    stage.launch(dead.root_id, "QUEUED")
    assert stage.due() == [other.run_id]
    stage.launch(dead.root_id, "CLAIMED", fence=2)
    assert stage.starts(other) == [True]
    with pytest.raises(RunError, match="another worker"):
        stage.ask(dead)
    # The task of the next launch is a new run, and waits as any other.
    assert stage.starts(stage.task(top=dead.root_id, fence=2)) == [False]


def test_a_lapsed_lease_alone_frees_nothing(graph: Graph) -> None:
    """After an outage all leases have lapsed, and the workers live."""
    stage = Stage(graph, 1)
    holder, other = stage.task(), stage.task()
    assert stage.starts(holder) == [True]
    graph.query("MATCH (r:Run) SET r.lease_until = datetime('2020-01-01T00:00:00Z')", write=True)
    assert stage.starts(other) == [False]
    stage.launch(holder.root_id, None)
    assert stage.starts(other) == [True]


def test_a_waiting_task_of_a_resumed_run_keeps_its_place(graph: Graph) -> None:
    stage = Stage(graph, 1)
    holder, first, second = (stage.task() for _ in range(3))
    assert stage.starts(holder, first, second) == [True, False, False]
    stage.launch(first.root_id, "CLAIMED", fence=2)
    again = SlotRequest(
        run_id=first.run_id,
        root_id=first.root_id,
        fence=2,
        job_key="k",
        pool="spark",
        slots=1,
        priority=0,
    )
    assert stage.starts(again) == [False]
    stage.end(holder)
    assert stage.starts(second, again) == [False, True]


def test_a_parked_run_is_queued_for_its_turn_and_its_slots_are_kept_for_a_while(
    graph: Graph,
) -> None:
    stage = Stage(graph, 1)
    holder, parked, later = (stage.task() for _ in range(3))
    assert stage.starts(holder, parked, later) == [True, False, False]
    stage.launch(parked.root_id, "PARKED")
    assert queue_waiting_for_slots(graph, now=stage.now) == []
    stage.end(holder)
    queue_waiting_for_slots(graph, now=stage.now)
    queued = graph.read(launches.list_queued, most=9, now=stage.now)
    assert queued == [parked.root_id]
    assert stage.starts(later) == [False]
    # No worker takes it.
    stage.now += timedelta(minutes=1)
    assert stage.starts(later) == [True]


def test_a_task_without_room_in_its_run_lets_others_go_first(graph: Graph) -> None:
    stage = Stage(graph, 1)
    holder, full, later = (stage.task() for _ in range(3))
    assert stage.starts(holder, full, later) == [True, False, False]
    stage.end(holder)
    assert stage.due() == [full.run_id]
    graph.write(pools.set_held_back, run_id=full.run_id)
    assert stage.due() == [later.run_id]
    assert stage.starts(later, full) == [True, False]
    stage.end(later)
    assert stage.due() == [full.run_id]


def test_ends_that_a_daemon_reports_free_slots_too(graph: Graph) -> None:
    stage = Stage(graph, 1)
    task = stage.task()
    assert stage.starts(task) == [True]
    row = OpenRun(task.run_id, "default", "a", "TASK", "RUNNING", NOON)
    ends = failure_events([row], "LOST", "gone")
    graph.write(commit_ends, task.root_id, ends, max_event_age=timedelta(days=1), now=stage.now)
    assert stage.taken() == (0, 0)
    assert not graph.write(cancel_run, new_id())


def test_a_pool_is_deleted_only_if_no_task_uses_it(graph: Graph) -> None:
    stage = Stage(graph, 1)
    task = stage.task()
    assert stage.starts(task) == [True]
    assert [one.run_id for one in read_pool(graph, "spark").claims] == [task.run_id]
    with pytest.raises(PoolInUse, match="pool show spark"):
        delete_pool(graph, "spark")
    stage.launch(task.root_id, None)
    delete_pool(graph, "spark")
    assert list_pools(graph) == []
    assert graph.query("MATCH (c:PoolClaim) RETURN c") == []
    with pytest.raises(NotFound, match="pool list"):
        delete_pool(graph, "spark")


@pytest.mark.parametrize(("name", "slots"), [("", 1), (" a", 1), ("a\n", 1), ("a", -1)])
def test_invalid_names_and_sizes_are_refused(graph: Graph, name: str, slots: int) -> None:
    with pytest.raises(InvalidPool):
        set_pool(graph, name, slots)


def test_of_many_that_ask_at_once_no_more_start_than_there_are_slots(graph: Graph) -> None:
    stage = Stage(graph, 7)
    tasks = [stage.task(1 + number % 3) for number in range(24)]
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda one: graph.write(take_slots, one), tasks))
    pairs = zip(tasks, found, strict=True)
    assert sum(one.slots for one, entry in pairs if isinstance(entry, Start)) <= 7
    taken, waiting = stage.taken()
    assert taken <= 7
    assert taken + waiting >= 7
