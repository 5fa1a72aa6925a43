// Hide a dataset, and those that are the same, until an event names one.
MATCH (:Dataset {key: $key})-[:SAME_AS*0..1]->(d:Dataset)
SET d.hidden_at = coalesce($now, datetime.realtime())
