// What expired is found by its key.
CREATE INDEX expired_key IF NOT EXISTS FOR ()-[r:EXPIRED]-() ON (r.key)
