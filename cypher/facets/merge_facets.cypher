// Keep the bodies of facets, each once.
UNWIND $rows AS row
MERGE (f:Facet {hash: row.hash})
ON CREATE SET f.name = row.name, f.body = row.body
