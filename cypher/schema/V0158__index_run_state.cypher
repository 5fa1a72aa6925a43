// How many runs there are in each state is counted without reading them.
CREATE INDEX run_state IF NOT EXISTS FOR (n:Run) ON (n.state)
