// The versions of a dataset, newest first.
MATCH (v:DatasetVersion)
WHERE v.dataset_key = $key AND v.written_at IS NOT NULL
RETURN v.key AS key
ORDER BY v.dataset_key DESC, v.written_at DESC, key DESC
SKIP $offset
LIMIT $limit
