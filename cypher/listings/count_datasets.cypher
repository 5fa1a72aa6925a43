// How many datasets a namespace has.
MATCH (d:Dataset)
WHERE d.namespace = $namespace AND d.name IS NOT NULL
RETURN count(*) AS total
