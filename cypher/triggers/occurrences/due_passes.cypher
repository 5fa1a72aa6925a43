// Recent versions of datasets for the conditions that ask for their quality, each with its verdicts.
//
// These are the datasets with new verdicts, or those that runs wrote.
//
// A verdict is about the version that its run wrote; of a run that writes none, about the latest one before it. A version
// of a run that has not completed counts for nothing.
CALL () {
  UNWIND $judged AS key
  MATCH (d:Dataset {key: key})
  RETURN d
  UNION
  UNWIND $writers AS run_id
  MATCH (:Run {id: run_id})-[:WRITES]->(:DatasetVersion)<-[:HAS_VERSION]-(d:Dataset)
  RETURN d
}
MATCH (d)-[:SAME_AS*0..1]->(:Dataset)<-[:WATCHES]-(c:Condition)
WHERE c.quality IS NOT NULL
MATCH (t:Trigger {enabled: true})-[:HAS_CONDITION]->(c)
WITH DISTINCT d, c, t
// Step 1: the names of the dataset, its newest versions, and when the next one replaced each.
CALL (d) {
  MATCH (d)-[:SAME_AS*0..1]->(same:Dataset)
  RETURN collect(DISTINCT same.key) AS names
}
CALL (names) {
  UNWIND names AS name
  CALL (name) {
    MATCH (v:DatasetVersion)
    WHERE v.dataset_key = name AND v.written_at IS NOT NULL
    MATCH (r:Run {state: 'COMPLETED'})-[w:WRITES]->(v)
    RETURN v, r, w ORDER BY v.dataset_key DESC, v.written_at DESC LIMIT 20
  }
  WITH v, r, w ORDER BY v.written_at DESC, v.key LIMIT 20
  RETURN collect({v: v, r: r, w: w}) AS newest
}
// Step 2: all verdicts since the oldest of these versions.
CALL (names, newest) {
  UNWIND names AS name
  MATCH (a:Assertion)<-[:HAS_ASSERTION]-(:Dataset {key: name})
  CALL (name, names, a, newest) {
    MATCH (judge:Run)-[j:JUDGED]->(a)
    WHERE j.at >= newest[-1].v.written_at OR judge IN [n IN newest | n.r]
    RETURN j.verdict AS verdict, j.at AS at, judge.id AS run_id,
      EXISTS { (judge)-[:WRITES]->(x:DatasetVersion) WHERE x.dataset_key IN names } AS is_writer
    UNION
    MATCH (:Dataset {key: name})-[h:HAS_ASSERTION]->(a)
    WHERE h.at >= newest[-1].v.written_at
    RETURN h.verdict AS verdict, h.at AS at, null AS run_id, false AS is_writer
  }
  WITH [n IN newest WHERE n.r.id = run_id | n.v.key] AS own,
       // The newest version of those before the verdict: they are sorted.
       head([n IN newest WHERE NOT is_writer AND n.v.written_at <= at | n.v.key]) AS before,
       {assertion: a.name + ' ' + coalesce(a.column, ''), verdict: verdict, at: toString(at),
        run_id: run_id} AS said
  RETURN collect({version: coalesce(own[0], before), said: said}) AS said
}
// Step 3: each version with its own verdicts, and the assertions about the one before.
UNWIND range(0, size(newest) - 1) AS i
WITH c, t, newest[i].v AS v, newest[i].r AS r, newest[i].w AS w, newest[i + 1].v.key AS previous, said
WHERE v.written_at >= c.created_at AND v.written_at >= t.enabled_at
UNWIND CASE
  WHEN c.need > 1 OR t.correlate_by = 'partition'
  THEN coalesce(v.partition_keys, [coalesce(r.partition, v.key)])
  ELSE [v.key]
END AS part
WITH r, w, v, c, t, part, [s IN said WHERE s.version = v.key | s.said] AS verdicts,
     [s IN said WHERE s.version = previous | s.said.assertion] AS awaited,
     c.predicates IS NOT NULL OR t.correlate_by IS NOT NULL AS asks
WHERE verdicts <> []
ORDER BY t.id, c.id, v.key, part
RETURN collect({
  due: {
    trigger_id: t.id,
    condition_id: c.id,
    operator: c.operator,
    predicates: c.predicates,
    correlate_by: t.correlate_by,
    subject: 'version',
    subject_id: v.key,
    status: 'PASSED',
    occurred_at: toString(v.written_at),
    part: part,
    partition: CASE WHEN part <> v.key THEN part ELSE r.partition END,
    params: CASE WHEN asks THEN r.params END,
    emitted: CASE WHEN asks THEN r.emitted END,
    reported: CASE WHEN asks THEN r.reported END,
    written: CASE WHEN asks THEN {rowCount: w.row_count, size: w.size, fileCount: w.file_count} END
  },
  verdicts: verdicts,
  awaited: awaited
}) AS rows
