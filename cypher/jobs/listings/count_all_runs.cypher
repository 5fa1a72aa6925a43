// Count the runs of all jobs that were created in a period; no states take all.
CALL () {
  MATCH (r:Run)
  WHERE r.created_at >= $since AND r.created_at < $until
    AND ($states = [] OR coalesce(r.state, 'PENDING') IN $states)
  RETURN count(*) AS counted
}
// Hidden jobs are few: to count their runs is quicker than to look at the job of every run.
CALL () {
  MATCH (j:Job)
  WHERE j.hidden_at IS NOT NULL
  MATCH (r:Run)
  WHERE r.job_key = j.key AND r.created_at >= $since AND r.created_at < $until
    AND ($states = [] OR coalesce(r.state, 'PENDING') IN $states)
  RETURN count(*) AS hidden
}
RETURN counted - hidden AS total
