// The waits with an attempt that is over.
CREATE INDEX attempt_end IF NOT EXISTS FOR ()-[w:WAITS_ON]-() ON (w.attempt_ends_at)
