// What a firing consumed is found by its key.
CREATE INDEX consumed_key IF NOT EXISTS FOR ()-[r:CONSUMED]-() ON (r.key)
