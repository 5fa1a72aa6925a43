// Runs are found by the functions that they are held to.
CREATE INDEX run_task_code IF NOT EXISTS FOR (n:Run) ON (n.task_code)
