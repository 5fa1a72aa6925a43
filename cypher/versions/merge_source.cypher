// Keep the packed files that a definition was read from, once.
MERGE (s:Source {sha256: $sha256})
ON CREATE SET s.archive = $archive, s.files = $files
