// Say from which commit a version was read: the first one, or the first without changes to it.
MATCH (v:JobVersion {hash: $hash})
WHERE v.git_commit IS NULL OR (v.git_dirty AND NOT $dirty)
SET v.git_commit = $commit, v.git_branch = $branch, v.git_dirty = $dirty, v.git_remote = $remote
