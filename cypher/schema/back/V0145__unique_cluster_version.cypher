// Without the constraint.
DROP CONSTRAINT unique_cluster_version IF EXISTS
