// The facets of runs, or of their jobs as runs reported them: the scope is `run` or `job`.
UNWIND $ids AS id
MATCH (r:Run {id: id})-[h:HAS_FACET]->(f:Facet)
WHERE h.scope = $scope
WITH r.id AS id, h.name AS name, f.body AS body
ORDER BY id, name
RETURN collect([id, name, body]) AS rows
