// A constraint is there once.
CREATE CONSTRAINT unique_constraint IF NOT EXISTS FOR (n:Constraint) REQUIRE n.id IS UNIQUE
