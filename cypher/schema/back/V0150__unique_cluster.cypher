// Clusters need no longer have their own id.
DROP CONSTRAINT unique_cluster IF EXISTS
