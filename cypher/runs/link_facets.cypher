// Give runs the latest facet of each name.
UNWIND $rows AS row
MATCH (r:Run {id: row.id})
OPTIONAL MATCH (r)-[old:HAS_FACET {scope: row.scope, name: row.name}]->(:Facet)
DELETE old
WITH DISTINCT r, row
MATCH (f:Facet {hash: row.hash})
CREATE (r)-[:HAS_FACET {scope: row.scope, name: row.name}]->(f)
