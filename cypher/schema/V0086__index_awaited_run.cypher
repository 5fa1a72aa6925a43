// Runs of others from which something is awaited are found by how long they have been silent.
CREATE INDEX awaited_run IF NOT EXISTS FOR (n:Run) ON (n.awaited_since)
