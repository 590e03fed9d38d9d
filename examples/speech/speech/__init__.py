"""A small streaming speech model, written the way such models are written: it runs, and it does not export."""
