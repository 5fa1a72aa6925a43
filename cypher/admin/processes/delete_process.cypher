// Delete the node of an ended process.
MATCH (p:Process {id: $id})
DETACH DELETE p
