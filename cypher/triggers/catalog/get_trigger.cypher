// A trigger with its job, its rule and its latest firing.
MATCH (t:Trigger {id: $id})
OPTIONAL MATCH (t)-[:STARTS]->(j:Job)
OPTIONAL MATCH (v:JobVersion {hash: j.current_version})
RETURN t.id AS id, t.name AS name, coalesce(t.enabled, true) AS enabled,
       t.created_at AS created_at, t.generation AS generation, j.fqn AS starts,
       j.namespace AS namespace, t.text AS text,
       COUNT { (t)-[:FIRED]->() } AS firings,
       COLLECT { MATCH (t)-[:FIRED]->(f:Firing) RETURN f.fired_at ORDER BY f.fired_at DESC LIMIT 1 }[0]
         AS fired_at,
       t.suspended_at AS suspended_at,
       CASE WHEN NOT t.enabled THEN t.suspended_because END AS suspended_because, t.origin AS origin, t.description AS description,
       j.key AS job_key, t.rule AS rule, v.start_date AS start_date, v.end_date AS end_date
