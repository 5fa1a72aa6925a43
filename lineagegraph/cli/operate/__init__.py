"""Commands that operate the service: server, schema, tokens, imports, retention."""
