// The location of a definition's packed files: in the graph, at a URL, or deleted.
MATCH (s:Source {sha256: $sha256})
RETURN s.archive AS archive, s.url AS url
