// Forget a cluster that was removed.
MATCH (c:Cluster {id: $id})
DETACH DELETE c
