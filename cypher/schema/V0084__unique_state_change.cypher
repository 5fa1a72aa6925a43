// A change of state has a number of its own, by which those who follow go on.
CREATE CONSTRAINT unique_state_change IF NOT EXISTS FOR (n:StateChange) REQUIRE n.number IS UNIQUE
