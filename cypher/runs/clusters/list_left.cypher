// Clusters that could not be removed yet, most attempts first.
MATCH (c:Cluster)
WHERE c.error IS NOT NULL
RETURN c.name AS name, c.run_id AS run_id, c.batch AS batch, c.tries AS tries, c.error AS error,
       c.next_at AS next_at
ORDER BY tries DESC, run_id, name
