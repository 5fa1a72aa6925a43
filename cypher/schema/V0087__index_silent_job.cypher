// Jobs that have a rule of their own about silence are found without reading the others.
CREATE INDEX silent_job IF NOT EXISTS FOR (n:Job) ON (n.silent_after)
