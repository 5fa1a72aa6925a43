// Record reports on freshness, and return those that were not reported yet.
UNWIND $rows AS row
MATCH (t:Terms {key: row.terms_key})
SET t.locked = true
REMOVE t.locked
WITH t, row, datetime(row.last_at) AS last_at
WHERE CASE row.state
  WHEN 'stale' THEN coalesce(t.told <> 'stale', true) OR last_at > coalesce(t.told_last, datetime({epochSeconds: 0}))
  ELSE t.told = 'stale' AND last_at > coalesce(t.told_last, datetime({epochSeconds: 0}))
END
SET t.told = row.state, t.told_last = last_at, t.told_at = coalesce($now, datetime.realtime())
RETURN t.key AS terms_key
ORDER BY terms_key
