"""Numbers, sizes, copies and arrays that leave the graph, by ways that stay in it."""
