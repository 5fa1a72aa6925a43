// Without it.
DROP CONSTRAINT unique_evaluation IF EXISTS
