// The latest written versions of datasets, now or at a time.
UNWIND $keys AS key
CALL (key) {
  MATCH (v:DatasetVersion)
  WHERE v.dataset_key = key AND v.written_at <= coalesce($at, datetime('9999-12-31T23:59:59Z'))
  WITH v
  ORDER BY v.dataset_key DESC, v.written_at DESC, v.key DESC
  LIMIT 1
  RETURN collect(v) AS written
}
// The version of a stream that completed later was true from its first report on.
CALL (key, written) {
  MATCH (v:DatasetVersion)
  USING INDEX v:DatasetVersion(dataset_key, begun_at)
  WHERE v.dataset_key = key AND v.begun_at <= $at AND v.written_at > $at
    AND v.begun_at > coalesce(written[0].written_at, datetime('0001-01-01T00:00:00Z'))
  WITH v
  ORDER BY v.begun_at DESC, v.key DESC
  LIMIT 1
  RETURN collect(v) AS begun
}
UNWIND (begun + written)[..1] AS v
RETURN key, v.key AS version
ORDER BY key
