// Where the packed files of a definition are: in the graph, at a URL, or no longer kept.
MATCH (s:Source {sha256: $sha256})
RETURN s.archive AS archive, s.url AS url
