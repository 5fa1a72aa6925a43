// Every condition of a version's trigger has its own hash.
CREATE CONSTRAINT unique_condition_version IF NOT EXISTS FOR (n:ConditionVersion) REQUIRE n.hash IS UNIQUE
