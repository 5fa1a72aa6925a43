// Without the index.
DROP INDEX run_task_code IF EXISTS
