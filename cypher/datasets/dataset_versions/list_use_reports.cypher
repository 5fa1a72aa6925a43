// The newest events of runs that have facets of inputs or outputs, in order of age.
UNWIND $ids AS id
MATCH (r:Run {id: id})
CALL (r) {
  MATCH (e:Event)-[:REPORTS]->(r)
  // Events are canonical JSON: `inputFacets` or `outputFacets` that are not empty.
  WHERE e.body CONTAINS 'putFacets":{"'
  WITH e
  ORDER BY e.event_time DESC, e.id DESC
  LIMIT $limit
  RETURN e
}
RETURN id AS run, e.body AS body, coalesce(e.claims, []) AS claims
ORDER BY e.event_time, e.id
