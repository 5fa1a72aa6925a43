// Tasks that a run added are its group's path.
CREATE CONSTRAINT unique_expansion IF NOT EXISTS FOR (n:Expansion) REQUIRE n.key IS UNIQUE
