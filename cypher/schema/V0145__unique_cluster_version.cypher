// Every cluster of a version has its own hash.
CREATE CONSTRAINT unique_cluster_version IF NOT EXISTS FOR (n:ClusterVersion) REQUIRE n.hash IS UNIQUE
