"""The kinds of tasks: one attempt of each, in this process or in one of its own."""
