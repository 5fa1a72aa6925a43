// The newest runs are found without reading the others.
CREATE INDEX run_created IF NOT EXISTS FOR (n:Run) ON (n.created_at)
