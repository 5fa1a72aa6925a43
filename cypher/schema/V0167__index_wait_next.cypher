// Waits that are to be looked at are found without reading the others.
CREATE INDEX wait_next IF NOT EXISTS FOR ()-[w:WAITS_ON]-() ON (w.next_at)
