// Delete the expanded tasks of deleted runs.
MATCH (e:Expansion) WHERE NOT EXISTS { (:Run)-[:EXPANDED]->(e) }
WITH e LIMIT $limit
OPTIONAL MATCH (e)-[:CONTAINS]->(t:ExpandedTask)
DETACH DELETE e, t
RETURN count(*) AS deleted
