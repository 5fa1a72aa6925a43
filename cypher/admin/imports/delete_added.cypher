// Let go of facets that an import brought.
UNWIND $hashes AS hash
MATCH (:Import {id: $import_id})-[a:ADDED]->(:Facet {hash: hash})
DELETE a
