// The versions of datasets that are the same, newest first.
UNWIND $keys AS key
CALL (key) {
  MATCH (v:DatasetVersion)
  WHERE v.dataset_key = key AND v.written_at IS NOT NULL
  RETURN v
  ORDER BY v.dataset_key DESC, v.written_at DESC, v.key DESC
  LIMIT $offset + $limit
}
WITH v.key AS key, v.written_at AS written_at
ORDER BY written_at DESC, key DESC
SKIP $offset
LIMIT $limit
RETURN key
