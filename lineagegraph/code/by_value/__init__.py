"""Functions of tasks pickled by value with the modules that they need."""
