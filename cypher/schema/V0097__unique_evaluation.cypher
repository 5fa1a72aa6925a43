// An evaluation is there once.
CREATE CONSTRAINT unique_evaluation IF NOT EXISTS FOR (n:Evaluation) REQUIRE n.id IS UNIQUE
