// Count the runs that a sweep will delete, by job.
MATCH (r:Run {condemned: $sweep})
RETURN r.job_key AS job_key, count(r) AS runs,
       sum(COUNT { (:Event)-[:REPORTS]->(r) }) AS events,
       sum(COUNT { (r)-[:WRITES]->(:DatasetVersion) }) AS versions
ORDER BY job_key
