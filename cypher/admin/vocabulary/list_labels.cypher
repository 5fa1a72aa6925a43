// The labels of nodes.
CALL db.labels() YIELD label
RETURN label
ORDER BY label
