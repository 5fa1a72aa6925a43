"""Functions of users, each called in a process of its own that ends when its time is over."""
