// Count the written versions of datasets.
UNWIND $keys AS key
MATCH (v:DatasetVersion)
WHERE v.dataset_key = key AND v.written_at IS NOT NULL
RETURN count(*) AS total
