// The dataset versions that versions of a job wrote: each in its newest run that wrote any.
UNWIND $hashes AS version
CALL (version) {
  MATCH (r:Run)
  USING INDEX r:Run(job_key, job_version, created_at)
  WHERE r.job_key = $key AND r.job_version = version AND r.created_at IS NOT NULL
    AND EXISTS { (r)-[:PARENT_OF*0..]->(:Run)-[:WRITES]->(:DatasetVersion) }
  WITH r
  ORDER BY r.job_key DESC, r.job_version DESC, r.created_at DESC
  LIMIT 1
  MATCH (r)-[:PARENT_OF*0..]->(:Run)-[:WRITES]->(v:DatasetVersion)<-[:HAS_VERSION]-(d:Dataset)
  WHERE d.hidden_at IS NULL
  RETURN DISTINCT v.key AS key
}
RETURN DISTINCT key
ORDER BY key
