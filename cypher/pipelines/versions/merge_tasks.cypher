// Store the tasks of a version.
UNWIND $rows AS row
MERGE (t:TaskVersion {hash: row.hash})
ON CREATE SET t += row.properties
