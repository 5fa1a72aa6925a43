// Runs whose state is news are found without reading the others.
CREATE INDEX run_state_at IF NOT EXISTS FOR (n:Run) ON (n.state_at)
