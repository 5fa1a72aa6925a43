// The latest success of each job in a partition, by the partition keys of its runs.
//
// The clock of its host may be ahead: a success counts, unless its time is too far ahead.
WITH coalesce($now, datetime.realtime()) + duration('P1D') AS until
UNWIND $rows AS row
CALL (row, until) {
  WITH row, until WHERE row.counts = 'end'
  MATCH (r:Run)
  WHERE r.job_key = row.job_key AND r.state = 'COMPLETED' AND r.ended_at <= until
    AND size(coalesce(r.only, [])) = 0
    AND all(part IN row.parts WHERE r.partition IS NULL
      OR NOT r.partition CONTAINS (split(part, '":')[0] + '":') OR r.partition CONTAINS part)
  WITH r
  ORDER BY r.job_key DESC, r.state DESC, r.ended_at DESC
  LIMIT 1
  RETURN r AS latest
  UNION
  WITH row, until WHERE row.counts = 'data_end'
  MATCH (r:Run)
  WHERE r.job_key = row.job_key AND r.state = 'COMPLETED' AND r.ended_at <= until
    AND size(coalesce(r.only, [])) = 0
    AND all(part IN row.parts WHERE r.partition IS NULL
      OR NOT r.partition CONTAINS (split(part, '":')[0] + '":') OR r.partition CONTAINS part)
  WITH r
  // No data is newer than the run that made it.
  ORDER BY CASE WHEN r.nominal_end < r.ended_at THEN r.nominal_end ELSE r.ended_at END DESC
  LIMIT 1
  RETURN r AS latest
}
CALL (row, latest, until) {
  // A run that was skipped because its inputs were unchanged confirms the success before it.
  MATCH (s:Run)
  WHERE s.job_key = row.job_key AND s.state = 'FRESH_SKIP' AND s.ended_at > latest.ended_at
    AND s.ended_at <= until AND s.reason = 'UNCHANGED'
    AND all(part IN row.parts WHERE s.partition IS NULL
      OR NOT s.partition CONTAINS (split(part, '":')[0] + '":') OR s.partition CONTAINS part)
  RETURN max(s.ended_at) AS confirmed_at
}
RETURN
  row.number AS number,
  latest.id AS run_id,
  latest.started_at AS started_at,
  latest.ended_at AS ended_at,
  CASE WHEN latest.nominal_end > latest.ended_at THEN latest.ended_at ELSE latest.nominal_end END
    AS data_end,
  confirmed_at
ORDER BY number
