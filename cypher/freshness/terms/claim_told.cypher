// Record reports on freshness, of a node or of a part of it, and return those not reported yet.
UNWIND $rows AS row
MATCH (t:Terms {key: row.terms_key})
SET t.locked = true
REMOVE t.locked
WITH t, row, datetime(row.last_at) AS last_at
CALL (t, row) {
  WITH t, row WHERE row.part IS NULL
  RETURN t AS of
  UNION
  WITH t, row WHERE row.part IS NOT NULL
  MERGE (p:TermsPart {key: row.key})
  SET p.value = row.part
  MERGE (t)-[:HAS_PART]->(p)
  RETURN p AS of
}
WITH of, row, last_at
WHERE CASE row.state
  WHEN 'stale' THEN coalesce(of.told <> 'stale', true) OR last_at > coalesce(of.told_last, datetime({epochSeconds: 0}))
  // It is seen but not told, by who tells only of its end.
  WHEN 'untold' THEN NOT coalesce(of.told IN ['stale', 'untold'], false)
  ELSE of.told IN ['stale', 'untold'] AND last_at > coalesce(of.told_last, datetime({epochSeconds: 0}))
END
SET of.told = row.state, of.told_last = last_at, of.told_at = coalesce($now, datetime.realtime())
RETURN row.key AS key
ORDER BY key
