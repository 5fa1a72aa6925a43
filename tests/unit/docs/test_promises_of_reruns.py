"""The strongest sentences of docs/reruns.md, each with the test that tries to break it."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
RERUNS = "tests/integration/reruns"
PROMISES = {
    "It is a new run, `RERUN_OF` the original, with a number; the original does not change.": (
        f"{RERUNS}/test_originals.py",
        "test_the_original_does_not_change_when_its_reruns_fail_and_are_cancelled_at_once",
    ),
    "Before anything starts, all differences from the original are listed": (
        f"{RERUNS}/test_policies.py",
        "test_what_is_other_is_listed_before_it_starts",
    ),
    "You can edit, move or delete the definition file: a deterministic task writes the same bytes "
    "again.": (
        "tests/acceptance/test_reruns_with_spark.py",
        "test_a_rerun_as_it_was_writes_the_same_bytes_though_its_files_were_edited_moved_and_deleted",
    ),
    "If something is missing, the rerun is refused with a list of everything that is missing, and "
    "nothing runs": (f"{RERUNS}/test_refusals.py", "test_all_that_is_missing_is_named_at_once"),
    "The machine that runs it checks its packages again, and ends the run as FAILED": (
        f"{RERUNS}/test_refusals.py",
        "test_a_worker_refuses_too_where_it_has_other_packages",
    ),
    "If their scripts changed after the version was read, also in the middle of a run, the "
    "arguments that name scripts name the archived files instead": (
        f"{RERUNS}/test_programs.py",
        "test_a_script_that_a_run_finds_edited_is_that_of_its_version",
    ),
    "If the contents are known, they alone decide, so a file that was restored is the same "
    "again.": (
        f"{RERUNS}/test_files.py",
        "test_data_that_changed_in_place_is_refused_until_it_is_as_it_was",
    ),
    "`lineagegraph show` of a rerun compares its files with those of the original": (
        f"{RERUNS}/test_files.py",
        "test_a_rerun_proves_itself_or_names_what_differs",
    ),
    "The rerun also gets the original's upstream events (`lg.upstream()`) and scheduled time.": (
        f"{RERUNS}/test_originals.py",
        "test_a_rerun_of_later_code_has_the_parameters_and_the_events_of_its_original",
    ),
    "If you repeat the command, for example after a `kill -9`, it continues the same backfill with "
    "the remaining runs.": (
        "tests/acceptance/test_reruns.py",
        "test_many_runs_again_go_on_after_a_kill_and_repeat_nothing",
    ),
}


@pytest.mark.parametrize("promise", PROMISES)
def test_each_promise_is_in_the_page_and_has_its_test(promise: str) -> None:
    page = " ".join((ROOT / "docs" / "reruns.md").read_text("utf-8").split())
    file, name = PROMISES[promise]
    tests = ast.parse((ROOT / file).read_text("utf-8")).body
    assert promise in page
    assert name in {one.name for one in tests if isinstance(one, ast.FunctionDef)}
