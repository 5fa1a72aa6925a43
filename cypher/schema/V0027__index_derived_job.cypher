// The column lineage that a job does is found without reading the rest.
CREATE INDEX derived_job IF NOT EXISTS FOR ()-[r:DERIVED_FROM]-() ON (r.job_key)
