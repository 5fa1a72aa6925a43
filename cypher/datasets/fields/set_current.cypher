// Mark the columns that datasets have by their latest schema; the others were there once.
UNWIND $rows AS row
MATCH (d:Dataset {key: row.dataset_key})-[:HAS_FIELD]->(f:Field)
SET f.current = f.name IN row.names,
    f.ordinal = CASE WHEN f.name IN row.names
      THEN [i IN range(0, size(row.names) - 1) WHERE row.names[i] = f.name][0] END
