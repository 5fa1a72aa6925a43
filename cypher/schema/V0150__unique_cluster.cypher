// Every cluster that was made for a run has its own id.
CREATE CONSTRAINT unique_cluster IF NOT EXISTS FOR (n:Cluster) REQUIRE n.id IS UNIQUE
