// Without the index.
DROP INDEX dataset_name IF EXISTS
