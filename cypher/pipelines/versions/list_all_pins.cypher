// All pipelines that are pinned to a version, and their latest version.
MATCH (j:Job {kind: 'pipeline'}) WHERE j.pinned_at IS NOT NULL
MATCH (v:JobVersion {hash: j.current_version})
RETURN j.key AS job_key, j.namespace AS namespace, j.fqn AS fqn, v.hash AS version,
       v.definition AS definition, j.latest_version AS latest, j.pinned_at AS at, j.pinned_by AS by
ORDER BY fqn, namespace
