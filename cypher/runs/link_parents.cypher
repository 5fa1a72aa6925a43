// Put runs under their parents; a run that no longer has one stands alone.
UNWIND $rows AS row
MATCH (r:Run {id: row.id})
OPTIONAL MATCH (:Run)-[old:PARENT_OF]->(r)
DELETE old
WITH DISTINCT r, row
MATCH (p:Run {id: row.parent_id})
CREATE (p)-[:PARENT_OF]->(r)
