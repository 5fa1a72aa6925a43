// Give datasets the latest facet of each name.
UNWIND $rows AS row
MATCH (d:Dataset {key: row.key})
OPTIONAL MATCH (d)-[old:HAS_FACET {name: row.name}]->(:Facet)
DELETE old
WITH DISTINCT d, row
MATCH (f:Facet {hash: row.hash})
CREATE (d)-[:HAS_FACET {scope: 'dataset', name: row.name}]->(f)
