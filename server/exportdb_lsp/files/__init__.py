"""Files on disk: which of a folder's to read, and how to write one back without losing anything."""
