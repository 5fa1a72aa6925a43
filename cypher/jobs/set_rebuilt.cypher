// Take what jobs are from the runs that they have now, after runs moved.
UNWIND $keys AS key
MATCH (j:Job {key: key})
OPTIONAL MATCH (j)-[:HAS_RUN]->(r:Run)
WITH j, r ORDER BY r.kind_said DESC
WITH j, collect(r) AS runs
WITH j, all(r IN runs WHERE r.stub) AS stub, [r IN runs WHERE r.kind IS NOT NULL][0] AS latest
SET j.stub = stub AND NOT j.defined
WITH j, latest WHERE NOT j.defined
SET j.kind = coalesce(latest.kind, 'external'), j.kind_said = coalesce(latest.kind_said, '')
