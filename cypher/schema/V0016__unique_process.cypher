// Every process has its own id.
CREATE CONSTRAINT unique_process IF NOT EXISTS FOR (n:Process) REQUIRE n.id IS UNIQUE
