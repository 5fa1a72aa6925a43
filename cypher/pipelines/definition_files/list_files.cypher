// The definition files of a host at or below a path, with their pipelines.
MATCH (f:DefinitionFile {host: $host})
WHERE f.file = $path OR f.file STARTS WITH $path + '/'
RETURN
  f.key AS key, f.root AS root, f.path AS path, f.file AS file, f.turn AS turn,
  f.namespace AS namespace, f.zone AS zone, f.application AS application,
  f.fingerprint AS fingerprint, f.files AS files, f.folders AS folders, f.variables AS variables,
  f.dynamic AS dynamic, coalesce(f.next_at <= datetime.realtime(), false) AS due,
  COLLECT {
    MATCH (f)-[:HAS_FAULT]->(d:DefinitionFault)
    RETURN d.message ORDER BY d.message
  } AS faults,
  EXISTS { (f)-[:DECLARES]->(j:Job) WHERE j.withdrawn_at IS NOT NULL } AS withdrawn,
  f.declares <> COUNT { (f)-[:DECLARES]->(:Job) }
    OR EXISTS { (f)-[:DECLARES]->(j:Job) WHERE j.hidden_at IS NOT NULL }
    OR f.rules <> COLLECT {
      MATCH (f)-[:DECLARES]->(:Job)<-[:STARTS]-(t:Trigger)
      WHERE t.deleted_at IS NULL AND coalesce(t.origin, 'definition') = 'definition'
      RETURN t.rule ORDER BY t.id
    } AS altered,
  COLLECT {
    MATCH (f)-[:DECLARES]->(j:Job)
    RETURN {
      key: j.key, namespace: j.namespace, name: j.fqn, version: coalesce(j.latest_version, j.current_version), file: f.path,
      pinned: CASE WHEN j.pinned_at IS NOT NULL THEN j.current_version END,
      suspended: COLLECT {
        MATCH (j)<-[:STARTS]-(t:Trigger)
        WHERE t.deleted_at IS NULL AND NOT t.enabled AND t.suspended_because IS NOT NULL
          AND coalesce(t.origin, 'definition') = 'definition'
        RETURN [t.name, t.suspended_because] ORDER BY t.name
      },
      unknown: COLLECT {
        MATCH (j)<-[:STARTS]-(t:Trigger)-[:HAS_CONDITION]->(:Condition)-[:WATCHES]->(w:Job)
        WHERE t.deleted_at IS NULL AND w.stub AND NOT EXISTS { (w)-[:HAS_RUN]->() }
        RETURN DISTINCT w.fqn ORDER BY w.fqn
      }
    } AS pipeline
    ORDER BY j.fqn
  } AS pipelines
ORDER BY f.file
