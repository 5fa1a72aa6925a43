// Rebuild the properties of jobs from their current runs and declarations, after some moved.
UNWIND $keys AS key
MATCH (j:Job {key: key})
OPTIONAL MATCH (j)-[:HAS_RUN|HAS_DECLARATION]->(r:Run|Declaration)
WITH j, r ORDER BY r.kind_said DESC
WITH j, collect(r) AS reporters
WITH j, all(r IN reporters WHERE r.stub) AS stub, [r IN reporters WHERE r.kind IS NOT NULL][0] AS latest
SET j.stub = stub AND NOT j.defined
WITH j, latest WHERE NOT j.defined
SET j.kind = coalesce(latest.kind, 'external'), j.kind_said = coalesce(latest.kind_said, '')
