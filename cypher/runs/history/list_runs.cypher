// The newest runs of a job.
MATCH (r:Run {job_key: $job_key})
WHERE r.created_at <= coalesce($before, datetime.realtime() + duration('P1D'))
WITH r
ORDER BY r.job_key DESC, r.created_at DESC
LIMIT $limit
OPTIONAL MATCH (by:Firing|BackfillPartition)-[:STARTED]->(r)
RETURN r.id AS id, coalesce(r.state, 'PENDING') AS state, r.created_at AS created_at, r.started_at AS started_at,
       r.ended_at AS ended_at, r.nominal_start AS nominal_start,
       r.partition AS partition, r.params AS params, r.attempt AS attempt,
       r.version AS version, r.reason AS reason, r.message AS message, r.error AS error,
       coalesce(by.reason, 'backfill ' + by.backfill_id,
                [(r)-[:RERUN_OF]->(o:Run) | 'rerun of ' + o.id][0]) AS fired_by,
       CASE WHEN r.acknowledged_at IS NOT NULL AND r.state IN ['FAILED', 'KILLED'] THEN {
         author: r.acknowledged_by, note: r.acknowledgement, at: toString(r.acknowledged_at)
       } END AS acknowledgement
ORDER BY created_at DESC, id DESC
