// The latest version of a partition of a dataset is found without reading the others.
CREATE INDEX version_partition IF NOT EXISTS FOR (n:DatasetVersion) ON (n.dataset_key, n.partition_key, n.written_at)
