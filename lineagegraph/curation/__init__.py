"""What people say of the graph beside what events report: tags, namespaces, what is hidden."""
