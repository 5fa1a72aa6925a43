// The reads of runs by dataset: the named version, or the latest of each partition, or the latest of all.
UNWIND $ids AS id
MATCH (r:Run {id: id})-[e:READS]->(d:Dataset)
// The versions of datasets that are the same count too. In every step the versions that the run
// itself wrote are excluded: a run that updates a table read the version before.
// Step 1: the version that the run names.
CALL (r, e, d) {
  MATCH (d)-[:SAME_AS*0..1]->(same:Dataset)
  MATCH (v:DatasetVersion)
  WHERE v.dataset_key = same.key AND v.version = e.version
    AND NOT EXISTS { (r)-[:WRITES]->(v) }
  WITH v
  ORDER BY v.written_at IS NULL, v.written_at DESC, v.key DESC
  LIMIT 1
  RETURN collect(v) AS named
}
// Step 2, if no version was named: the latest version of each partition that the run read.
CALL (r, e, d, named) {
  UNWIND CASE WHEN named = [] THEN e.partition_keys END AS partition
  // A version has one partition (its key), none and so replaces all (''), or several ('*', listed
  // in `partition_keys`).
  CALL (r, e, d, partition) {
    MATCH (d)-[:SAME_AS*0..1]->(same:Dataset)
    UNWIND [partition, ''] AS written
    CALL (r, e, same, written) {
      MATCH (v:DatasetVersion)
      // Without the hint the planner can choose an index without the time, and sort all versions.
      USING INDEX v:DatasetVersion(dataset_key, partition_key, written_at)
      WHERE v.dataset_key = same.key AND v.partition_key = written
        AND v.written_at <= e.first_seen AND NOT EXISTS { (r)-[:WRITES]->(v) }
      RETURN v
      ORDER BY v.dataset_key DESC, v.partition_key DESC, v.written_at DESC, v.key DESC
      LIMIT 1
    }
    WITH v
    ORDER BY v.written_at DESC, v.key DESC
    LIMIT 1
    RETURN collect(v) AS alone
  }
  // Of those with several partitions, only versions that are not older are read.
  CALL (r, e, d, partition, alone) {
    MATCH (d)-[:SAME_AS*0..1]->(same:Dataset)
    CALL (r, e, same, partition, alone) {
      MATCH (v:DatasetVersion)
      USING INDEX v:DatasetVersion(dataset_key, partition_key, written_at)
      WHERE v.dataset_key = same.key AND v.partition_key = '*'
        AND v.written_at >= coalesce(alone[0].written_at, datetime('0001-01-01T00:00:00Z'))
        AND v.written_at <= e.first_seen AND partition IN v.partition_keys
        AND NOT EXISTS { (r)-[:WRITES]->(v) }
      // With the key too, Neo4j would read on until it finds a second one.
      RETURN v
      ORDER BY v.dataset_key DESC, v.partition_key DESC, v.written_at DESC
      LIMIT 1
    }
    RETURN collect(v) AS several
  }
  CALL (alone, several) {
    UNWIND alone + several AS v
    WITH v
    ORDER BY v.written_at DESC, v.key DESC
    LIMIT 1
    RETURN collect(v) AS written
  }
  // A stream that wrote then, and completed later: its version was true from its first report on.
  CALL (r, e, d, partition, written) {
    MATCH (d)-[:SAME_AS*0..1]->(same:Dataset)
    MATCH (v:DatasetVersion)
    USING INDEX v:DatasetVersion(dataset_key, begun_at)
    WHERE v.dataset_key = same.key AND v.begun_at <= e.first_seen AND v.written_at > e.first_seen
      AND v.begun_at > coalesce(written[0].written_at, datetime('0001-01-01T00:00:00Z'))
      AND (v.partition_key IN [partition, '']
        OR (v.partition_key = '*' AND partition IN v.partition_keys))
      AND NOT EXISTS { (r)-[:WRITES]->(v) }
    WITH v
    ORDER BY v.begun_at DESC, v.key DESC
    LIMIT 1
    RETURN collect(v) AS begun
  }
  UNWIND (begun + written)[..1] AS v
  RETURN collect(DISTINCT v) AS parts
}
// Step 3, if neither found any: the latest version of the dataset. A null time finds nothing.
CALL (r, e, d, named, parts) {
  MATCH (d)-[:SAME_AS*0..1]->(same:Dataset)
  CALL (r, e, same, named, parts) {
    MATCH (v:DatasetVersion)
    WHERE v.dataset_key = same.key
      AND v.written_at <= CASE WHEN named = [] AND parts = [] THEN e.first_seen END
      AND NOT EXISTS { (r)-[:WRITES]->(v) }
    WITH v
    ORDER BY v.dataset_key DESC, v.written_at DESC, v.key DESC
    LIMIT 1
    RETURN v
  }
  WITH v
  ORDER BY v.written_at DESC, v.key DESC
  LIMIT 1
  RETURN collect(v) AS written
}
// Here too, a stream that wrote then counts from its first report on.
CALL (r, e, d, named, parts, written) {
  MATCH (d)-[:SAME_AS*0..1]->(same:Dataset)
  MATCH (v:DatasetVersion)
  USING INDEX v:DatasetVersion(dataset_key, begun_at)
  WHERE v.dataset_key = same.key AND v.written_at > e.first_seen
    AND v.begun_at <= CASE WHEN named = [] AND parts = [] THEN e.first_seen END
    AND v.begun_at > coalesce(written[0].written_at, datetime('0001-01-01T00:00:00Z'))
    AND NOT EXISTS { (r)-[:WRITES]->(v) }
  WITH v
  ORDER BY v.begun_at DESC, v.key DESC
  LIMIT 1
  RETURN collect(v) AS begun
}
// Other partitions by the same dimensions are not those that the run read.
WITH r, e, d, named, parts,
     [v IN (begun + written)[..1] WHERE coalesce(v.dimensions <> e.dimensions, true)] AS latest
WITH r, e, d, named + parts + latest AS versions
// One row per version, or one row without a version. Only the first has the counts of the read.
UNWIND range(0, CASE versions WHEN [] THEN 0 ELSE size(versions) - 1 END) AS number
WITH r, e, d, versions[number] AS v, CASE number WHEN 0 THEN e END AS counts
WITH r.id AS id, d.key AS dataset, d.namespace AS namespace, d.name AS name, v.key AS version,
     [(writer:Run)-[:WRITES]->(v) | writer.id][0] AS writer, e.schema AS schema,
     counts.row_count AS row_count, counts.size AS size, counts.file_count AS file_count
ORDER BY id, namespace, name, v.written_at, version
RETURN collect([
  id, dataset, namespace, name, version, writer, schema, row_count, size, file_count
]) AS rows
