// The functions of tasks are kept once.
CREATE CONSTRAINT unique_task_code IF NOT EXISTS FOR (n:TaskCode) REQUIRE n.sha256 IS UNIQUE
