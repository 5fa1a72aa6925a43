// The latest written versions of datasets, now or at a time.
UNWIND $keys AS key
CALL (key) {
  MATCH (v:DatasetVersion)
  WHERE v.dataset_key = key AND v.written_at <= coalesce($at, datetime('9999-12-31T23:59:59Z'))
  WITH v
  ORDER BY v.dataset_key DESC, v.written_at DESC, v.key DESC
  LIMIT 1
  RETURN v.key AS version
}
RETURN key, version
ORDER BY key
