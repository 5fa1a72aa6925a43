// Keep what making a cluster answered, for who removes it.
MATCH (c:Cluster {id: $id})
SET c.created = $created
