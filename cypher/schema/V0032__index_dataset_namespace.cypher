// The datasets of a namespace are found in the order of their names.
CREATE INDEX dataset_namespace IF NOT EXISTS FOR (n:Dataset) ON (n.namespace, n.name)
