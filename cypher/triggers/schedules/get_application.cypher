// An application of a namespace, and whether one of its pipelines has a version.
MATCH (j:Job {namespace: $namespace, application: $application})
WITH j LIMIT 1
RETURN
  j.application AS name,
  EXISTS {
    MATCH (:JobVersion {hash: $version})<-[:HAS_VERSION]-(:Job {
      namespace: j.namespace, application: j.application
    })
  } AS has_version
