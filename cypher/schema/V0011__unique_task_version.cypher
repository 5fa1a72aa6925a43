// Every task version has its own hash.
CREATE CONSTRAINT unique_task_version IF NOT EXISTS FOR (n:TaskVersion) REQUIRE n.hash IS UNIQUE
