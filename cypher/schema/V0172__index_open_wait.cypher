// The waits for a sensor that are not settled, however many were before.
CREATE INDEX open_wait IF NOT EXISTS FOR ()-[w:WAITS_ON]-() ON (w.open_on)
