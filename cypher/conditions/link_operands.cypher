// Put conditions under the operators that they are operands of.
UNWIND $rows AS row
MATCH (parent:Condition {id: row.parent_id})
MATCH (child:Condition {id: row.id})
MERGE (parent)-[:OPERAND]->(child)
