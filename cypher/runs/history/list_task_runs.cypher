// The states of tasks by the ids of their runs.
UNWIND $ids AS id
MATCH (r:Run {id: id})
RETURN r.id AS id, coalesce(r.state, 'PENDING') AS state, r.started_at AS started_at, r.ended_at AS ended_at,
       r.attempt AS attempt, r.reason AS reason, r.message AS message, r.error AS error,
       CASE WHEN r.marked_at IS NOT NULL THEN r {
         .state, reason: r.mark_reason, author: r.marked_by, before: r.marked_from, at: toString(r.marked_at)
       } END AS mark
ORDER BY id
