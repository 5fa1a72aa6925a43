// Wake waits for runs, and return the kinds of conditions that these runs can affect now.
CALL () {
  UNWIND $run_ids AS run_id
  MATCH (r:Run {id: run_id})
  REMOVE r.unjudged_since
  RETURN
    any(x IN collect(EXISTS { (r)<-[:HAS_RUN]-(:Job)<-[:WATCHES]-(:Condition) }) WHERE x)
      AS statuses,
    any(x IN collect(EXISTS {
      (r)-[:WRITES]->(:DatasetVersion)<-[:HAS_VERSION]-(:Dataset)
        -[:SAME_AS*0..1]->(:Dataset)<-[:WATCHES]-(:Condition)
    }) WHERE x) AS writes,
    any(x IN collect(r.state = 'FAILED' AND EXISTS { (:Firing)-[:STARTED]->(r) }) WHERE x)
      AS reruns,
    any(x IN collect(EXISTS {
      (r)-[w:WAITS_ON]->(:Sensor) WHERE w.open_on IS NOT NULL
    }) WHERE x) AS waits
}
CALL () {
  UNWIND $run_ids AS run_id
  MATCH (r:Run {id: run_id})
  USING INDEX r:Run(id)
  WHERE r.state = 'COMPLETED' OR r.state = 'FRESH_SKIP' AND r.reason = 'UNCHANGED'
  MATCH (:Job {key: r.job_key})<-[w:WAITS_ON]-(:Run)
  WHERE w.next_at IS NOT NULL
  SET w.next_at = coalesce($now, datetime.realtime())
}
CALL () {
  MATCH (c:Condition) WHERE c.hops > 0
  RETURN coalesce(max(c.hops), 0) AS hops
}
RETURN statuses, writes, reruns, waits, hops
