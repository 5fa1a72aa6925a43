// The bodies of facets, by hash.
UNWIND $hashes AS hash
MATCH (f:Facet {hash: hash})
RETURN f.hash AS hash, f.name AS name, f.body AS body
ORDER BY hash
