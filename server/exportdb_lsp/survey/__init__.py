"""The readiness of a package: every module class exported, and a table of what came of it."""
