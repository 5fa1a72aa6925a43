// Let go of facets that an import brought.
UNWIND $hashes AS hash
MATCH (:Import {id: $import_id})-[b:BROUGHT]->(:Facet {hash: hash})
DELETE b
