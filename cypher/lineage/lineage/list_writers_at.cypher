// The runs that wrote datasets up to a time: runs with later reports, and the newest version of the others.
UNWIND $keys AS key
MATCH (d:Dataset {key: key})
CALL (d) {
  MATCH (d)-[:HAS_VERSION]->(v:DatasetVersion)<-[w:WRITES]-(r:Run)
  WHERE w.first_seen <= $at
  WITH v, w, r, any(time IN [r.start_time, r.running_time, r.complete_time, r.fail_time,
                       r.abort_time, r.other_time, r.marked_at, r.unmarked_at]
                     WHERE coalesce(time > $at, false)) AS is_open
  RETURN
    collect(CASE WHEN is_open THEN {run: r.id, version: v.key} END) AS open,
    max(CASE WHEN NOT is_open THEN [w.last_seen, r.id] END) AS last,
    max(CASE WHEN NOT is_open AND v.written_at IS NOT NULL THEN [v.written_at, v.key, w.last_seen] END)
      AS version,
    max(CASE WHEN NOT is_open AND w.schema IS NOT NULL
        THEN [coalesce(w.schema_at, w.last_seen), w.schema] END) AS schema
}
RETURN key, d.facts AS facts, open, last, version, schema
