// The newest run of jobs for each value of a partition key, as JSON without quotes.
UNWIND $keys AS key
CALL (key) {
  MATCH (r:Run)
  WHERE r.job_key = key AND r.partition IS NOT NULL
    AND r.created_at >= coalesce($since, datetime('0001-01-01T00:00:00Z'))
    AND r.created_at <= coalesce($at, datetime('9999-12-31T23:59:59Z'))
    AND all(part IN $parts
      WHERE r.partition STARTS WITH '{' + part OR r.partition CONTAINS ',' + part)
  WITH r, replace(replace(r.partition, '\\\\', '\u0001'), '\\"', '\u0002') AS text
  WITH r, split(',' + substring(text, 1), $opening) AS pieces
  WHERE size(pieces) > 1
  WITH split(pieces[1], '"')[0] AS value, max([r.created_at, r.id]) AS newest
  RETURN value, newest[1] AS run
}
RETURN key, replace(replace(value, '\u0002', '\\"'), '\u0001', '\\\\') AS value, run
ORDER BY key, value
