// The runs that read datasets up to a time: runs with later reports, and the last of the others.
UNWIND $keys AS key
MATCH (d:Dataset {key: key})
CALL (d) {
  MATCH (d)<-[e:READS]-(r:Run)
  WHERE e.first_seen <= $at
  WITH e, r, any(time IN [r.start_time, r.running_time, r.complete_time, r.fail_time,
                       r.abort_time, r.other_time, r.marked_at, r.unmarked_at]
                     WHERE coalesce(time > $at, false)) AS is_open
  RETURN
    collect(CASE WHEN is_open THEN r.id END) AS open,
    max(CASE WHEN NOT is_open THEN e.last_seen END) AS last_seen,
    max(CASE WHEN NOT is_open AND e.schema IS NOT NULL
        THEN [coalesce(e.schema_at, e.last_seen), e.schema] END) AS schema
}
RETURN key, open, last_seen, schema
