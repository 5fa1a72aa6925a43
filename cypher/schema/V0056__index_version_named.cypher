// The version of a dataset that a producer names is found at once.
CREATE INDEX version_named IF NOT EXISTS FOR (n:DatasetVersion) ON (n.dataset_key, n.version)
