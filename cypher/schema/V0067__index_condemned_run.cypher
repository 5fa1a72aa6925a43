// Runs that a sweep is to delete are found at once.
CREATE INDEX condemned_run IF NOT EXISTS FOR (n:Run) ON (n.condemned)
