// Keep the packed files that a definition was read from, once; what was deleted is kept anew.
MERGE (s:Source {sha256: $sha256})
ON CREATE SET s.files = $files
SET s.archive = CASE WHEN $url IS NULL THEN coalesce(s.archive, $archive) END,
    s.url = $url
