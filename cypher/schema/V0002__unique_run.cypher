// Every run has its own id.
CREATE CONSTRAINT unique_run IF NOT EXISTS FOR (n:Run) REQUIRE n.id IS UNIQUE
