// Runs that wait for a worker or have one are found without reading the others.
CREATE INDEX run_launch IF NOT EXISTS FOR (n:Run) ON (n.launch)
