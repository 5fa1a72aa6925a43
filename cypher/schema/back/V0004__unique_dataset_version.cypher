// Without the constraint.
DROP CONSTRAINT unique_dataset_version IF EXISTS
