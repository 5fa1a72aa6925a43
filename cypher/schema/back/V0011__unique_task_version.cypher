// Without the constraint.
DROP CONSTRAINT unique_task_version IF EXISTS
