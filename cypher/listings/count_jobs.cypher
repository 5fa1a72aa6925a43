// How many jobs there are.
MATCH (j:Job)
WHERE j.fqn IS NOT NULL
RETURN count(*) AS total
