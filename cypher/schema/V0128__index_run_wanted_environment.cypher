// Runs are found by the environment that they are held to.
CREATE INDEX run_wanted_environment IF NOT EXISTS FOR (n:Run) ON (n.wanted_environment)
