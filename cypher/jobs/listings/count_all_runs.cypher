// Count the runs of all jobs that were created in a period; no states take all.
CALL () {
  WITH $states AS states
  WHERE states = []
  MATCH (r:Run)
  WHERE r.created_at >= $since AND r.created_at < $until
  RETURN count(*) AS any
}
CALL () {
  // Runs that nobody has reported yet have no state.
  WITH $states AS states
  WHERE 'PENDING' IN states
  MATCH (r:Run)
  WHERE r.created_at >= $since AND r.created_at < $until AND r.state IS NULL
  RETURN count(*) AS unreported
}
CALL () {
  MATCH (r:Run)
  USING INDEX r:Run(state, state_at)
  WHERE r.state IN $states AND r.state_at IS NOT NULL
    AND r.created_at >= $since AND r.created_at < $until
  RETURN count(*) AS reported
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
RETURN any + unreported + reported - hidden AS total
