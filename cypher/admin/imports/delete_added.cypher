// Unlink facets from the import that added them.
UNWIND $hashes AS hash
MATCH (:Import {id: $import_id})-[a:ADDED]->(:Facet {hash: hash})
DELETE a
