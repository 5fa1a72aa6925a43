// Link operands to their operators, in order.
UNWIND $rows AS row
MATCH (parent:Condition {id: row.parent_id})
MATCH (child:Condition {id: row.id})
MERGE (parent)-[o:OPERAND]->(child)
SET o.position = row.position
