// The newest dataset versions of completed runs for the conditions of a preview that ask for quality.
//
// Each has the verdicts about it and the assertions about the version before, as in due_passes.
UNWIND $rows AS row
MATCH (d:Dataset {key: row.dataset_key})
CALL (d) {
  MATCH (d)-[:SAME_AS*0..1]->(same:Dataset)
  RETURN collect(DISTINCT same.key) AS names
}
// One version more than can count: the one before the first.
CALL (names) {
  UNWIND names AS name
  CALL (name) {
    MATCH (v:DatasetVersion)
    WHERE v.dataset_key = name AND v.written_at <= $until
    MATCH (r:Run {state: 'COMPLETED'})-[w:WRITES]->(v)
    RETURN v, r, w ORDER BY v.dataset_key DESC, v.written_at DESC LIMIT $most + 1
  }
  WITH v, r, w ORDER BY v.written_at DESC, v.key LIMIT $most + 1
  RETURN collect({v: v, r: r, w: w}) AS newest
}
CALL (names, newest) {
  UNWIND names AS name
  MATCH (a:Assertion)<-[:HAS_ASSERTION]-(:Dataset {key: name})
  CALL (name, names, a, newest) {
    MATCH (judge:Run)-[j:JUDGED]->(a)
    WHERE (j.at >= newest[-1].v.written_at OR judge IN [n IN newest | n.r]) AND j.at <= $until
    RETURN j.verdict AS verdict, j.at AS at, judge.id AS run_id,
      EXISTS { (judge)-[:WRITES]->(x:DatasetVersion) WHERE x.dataset_key IN names } AS is_writer
    UNION
    MATCH (:Dataset {key: name})-[h:HAS_ASSERTION]->(a)
    WHERE h.at >= newest[-1].v.written_at AND h.at <= $until
    RETURN h.verdict AS verdict, h.at AS at, null AS run_id, false AS is_writer
  }
  WITH [n IN newest WHERE n.r.id = run_id | n.v.key] AS own,
       head([n IN newest WHERE NOT is_writer AND n.v.written_at <= at | n.v.key]) AS before,
       {assertion: a.name + ' ' + coalesce(a.column, ''), verdict: verdict, at: toString(at),
        run_id: run_id} AS said
  RETURN collect({version: coalesce(own[0], before), said: said}) AS said
}
UNWIND range(0, size(newest) - 1) AS i
WITH row, d, newest[i].v AS v, newest[i].r AS r, newest[i].w AS w, newest[i + 1].v.key AS previous, said
WHERE v.written_at >= $since
MATCH (j:Job)-[:HAS_RUN]->(r)
UNWIND CASE
  WHEN row.parted
  THEN coalesce(v.partition_keys, [coalesce(r.partition, v.key)])
  ELSE [v.key]
END AS part
WITH row, d, j, r, w, v, part, [s IN said WHERE s.version = v.key | s.said] AS verdicts,
     [s IN said WHERE s.version = previous | s.said.assertion] AS awaited
WHERE verdicts <> []
ORDER BY v.written_at, v.key, part, row.condition_id
RETURN collect({
  occurrence: {
    condition_id: row.condition_id,
    subject: 'version',
    subject_id: v.key,
    name: d.name,
    simple_name: j.simple_name,
    job: j.fqn,
    run_id: r.id,
    status: 'PASSED',
    occurred_at: toString(v.written_at),
    judged_at: toString(coalesce(r.ended_at, v.written_at)),
    part: part,
    partition: CASE WHEN part <> v.key THEN part ELSE r.partition END,
    params: r.params,
    emitted: r.emitted,
    reported: r.reported,
    written: {rowCount: w.row_count, size: w.size, fileCount: w.file_count}
  },
  verdicts: verdicts,
  awaited: awaited
}) AS rows
