// Record that the run of a firing has begun.
MATCH (f:Firing {state: 'LAUNCHING'})-[:STARTED]->(:Run {id: $id})
SET f.state = 'LAUNCHED'
