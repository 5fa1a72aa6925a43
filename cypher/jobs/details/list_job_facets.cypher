// The latest facet of each name that runs reported about jobs, or of one name.
UNWIND $keys AS key
// Step 1: the newest runs.
CALL (key) {
  MATCH (r:Run)
  WHERE r.job_key = key AND r.created_at IS NOT NULL
  RETURN r
  ORDER BY r.job_key DESC, r.created_at DESC, r.id DESC
  LIMIT $runs
}
// Step 2: the facet of the newest run for each name.
MATCH (r)-[h:HAS_FACET {scope: 'job'}]->(f:Facet)
WHERE $name IS NULL OR h.name = $name
WITH key, h.name AS name, f, r
ORDER BY r.created_at DESC, r.id DESC
WITH key, name, collect({facet: f, at: coalesce(r.ended_at, r.started_at, r.created_at)})[0] AS latest
WITH key, name, latest
ORDER BY key, name
RETURN collect({
  key: key,
  name: name,
  body: latest.facet.body,
  at: toString(latest.at)
}) AS rows
