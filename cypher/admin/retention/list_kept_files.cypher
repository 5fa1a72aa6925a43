// Archives among these that are stored at a URL.
UNWIND $hashes AS sha256
MATCH (s:Source {sha256: sha256}) WHERE s.url IS NOT NULL
RETURN s.sha256 AS sha256
ORDER BY sha256
