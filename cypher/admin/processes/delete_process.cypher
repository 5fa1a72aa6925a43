// Forget a process that ended.
MATCH (p:Process {id: $id})
DETACH DELETE p
