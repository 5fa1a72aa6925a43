// Let triggers judge the recent runs that wrote datasets which are the same as watched ones.
UNWIND $keys AS key
MATCH (d:Dataset {key: key})
WHERE EXISTS { (d)-[:SAME_AS*0..1]->(:Dataset)<-[:WATCHES]-(:Condition) }
CALL (d) {
  MATCH (v:DatasetVersion)
  WHERE v.dataset_key = d.key
    AND v.written_at >= coalesce($now, datetime.realtime()) - duration({days: 1})
  RETURN v
  ORDER BY v.dataset_key DESC, v.written_at DESC
  LIMIT 100
}
MATCH (r:Run {state: 'COMPLETED'})-[:WRITES]->(v)
SET r.unjudged_since = coalesce($now, datetime.realtime())
