// Which version of a job was in force when, as far as versions known by now tell it.
CALL () {
  MATCH (j:Job)
  WHERE j.current_version IS NOT NULL AND NOT EXISTS { (j)-[:IN_FORCE]->() }
  RETURN j
}
CALL (j) {
  MATCH (j)-[:HAS_VERSION]->(v:JobVersion)
  WHERE v.created_at IS NOT NULL
  WITH j, v ORDER BY v.created_at, v.hash
  WITH j, collect(v) AS versions
  WITH j, versions, datetime.realtime() AS now, last(versions).hash <> j.current_version AS is_back
  UNWIND range(0, size(versions) - 1) AS number
  WITH j, now, is_back, versions[number] AS v, versions[number + 1] AS following
  CREATE (j)-[:IN_FORCE {
    since: v.created_at,
    until: coalesce(following.created_at, CASE WHEN is_back THEN now END)
  }]->(v)
  WITH j, now, is_back, v
  WHERE is_back AND v.hash = j.current_version
  CREATE (j)-[:IN_FORCE {since: now}]->(v)
} IN TRANSACTIONS OF 100 ROWS
