// Delete the node of a removed cluster.
MATCH (c:Cluster {id: $id})
DETACH DELETE c
