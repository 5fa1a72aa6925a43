// The labels that nodes have.
CALL db.labels() YIELD label
RETURN label
ORDER BY label
