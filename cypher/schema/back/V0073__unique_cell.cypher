// Without it.
DROP CONSTRAINT unique_cell IF EXISTS
