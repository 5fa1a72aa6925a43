// The jobs of runs, and whether each run only waits and needs no process for it.
UNWIND $ids AS id
MATCH (r:Run {id: id})
RETURN r.id AS id, r.name AS job,
       r.resting_since IS NOT NULL AND r.keeps_process IS NULL AS is_parkable
ORDER BY job, id
