// Release a number of runs that sweeps had condemned.
MATCH (r:Run) WHERE r.condemned IS NOT NULL
WITH r LIMIT $limit
REMOVE r.condemned, r.condemned_events
RETURN count(r) AS released
