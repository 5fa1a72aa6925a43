// Without it.
DROP CONSTRAINT unique_task_code IF EXISTS
