// Without it.
DROP CONSTRAINT unique_constraint IF EXISTS
