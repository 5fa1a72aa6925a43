// Candidate datasets for a name, by rank: 0 its name, 1 the end of its name after a slash or a dot.
MATCH (d:Dataset)
WHERE (d.name = $name OR d.name ENDS WITH '/' + $name OR d.name ENDS WITH '.' + $name)
  AND d.hidden_at IS NULL
RETURN d.key AS key, d.namespace AS namespace, d.name AS name,
       CASE d.name WHEN $name THEN 0 ELSE 1 END AS rank, d.same_as AS same_as
ORDER BY rank, name, namespace
LIMIT 1000
