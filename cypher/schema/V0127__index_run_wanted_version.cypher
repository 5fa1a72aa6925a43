// Runs are found by the version that they are held to.
CREATE INDEX run_wanted_version IF NOT EXISTS FOR (n:Run) ON (n.wanted_version)
