// Every condition has its own id.
CREATE CONSTRAINT unique_condition IF NOT EXISTS FOR (n:Condition) REQUIRE n.id IS UNIQUE
