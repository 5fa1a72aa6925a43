// Datasets are found by name.
CREATE INDEX dataset_name IF NOT EXISTS FOR (n:Dataset) ON (n.name)
