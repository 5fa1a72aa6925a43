// Runs that triggers have not been asked about are found without reading the others.
CREATE INDEX unjudged_run IF NOT EXISTS FOR (n:Run) ON (n.unjudged_since)
