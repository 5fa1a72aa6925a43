// Record a cluster before it is created for a run.
MATCH (r:Run {id: $run_id})
MERGE (c:Cluster {id: $id})
  ON CREATE SET c.name = $name,
                c.run_id = $run_id,
                c.fence = $fence,
                c.namespace = $namespace,
                c.batch = $batch,
                c.settings = $settings,
                c.created = '{}',
                c.destroy = $destroy,
                c.source = $source,
                c.root = $root,
                c.tries = 0,
                c.begun_at = coalesce($now, datetime.realtime())
MERGE (c)-[:SERVES]->(r)
