// Store packed files of definitions once; deleted ones are stored again.
UNWIND $rows AS row
MERGE (s:Source {sha256: row.sha256})
ON CREATE SET s.files = row.files, s.file_hashes = row.file_hashes
SET s.archive = CASE WHEN row.url IS NULL THEN coalesce(s.archive, row.archive) END,
    s.url = row.url
