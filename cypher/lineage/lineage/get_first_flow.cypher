// The time of the first data flow.
MATCH (:Job)-[e:FEEDS|PRODUCES]-(:Dataset)
WITH min(e.first_seen) AS first_seen
WHERE first_seen IS NOT NULL
RETURN first_seen
