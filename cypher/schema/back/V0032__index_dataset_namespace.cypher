// Without the index.
DROP INDEX dataset_namespace IF EXISTS
