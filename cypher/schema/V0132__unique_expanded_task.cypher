// A task that a run added is its path.
CREATE CONSTRAINT unique_expanded_task IF NOT EXISTS FOR (n:ExpandedTask) REQUIRE n.key IS UNIQUE
