// Record the commit of versions: the first one, or the first without uncommitted changes.
UNWIND $rows AS row
MATCH (v:JobVersion {hash: row.hash})
WHERE v.git_commit IS NULL OR (v.git_dirty AND NOT row.dirty)
SET v.git_commit = row.commit, v.git_branch = row.branch, v.git_dirty = row.dirty,
    v.git_remote = row.remote
