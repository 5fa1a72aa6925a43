// The latest version of a dataset, and the one of a time, are found without reading the others.
CREATE INDEX version_written IF NOT EXISTS FOR (n:DatasetVersion) ON (n.dataset_key, n.written_at)
