// Store the answer of a cluster's `create`, for its removal.
MATCH (c:Cluster {id: $id})
SET c.created = $created
