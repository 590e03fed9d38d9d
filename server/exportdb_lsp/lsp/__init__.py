"""The language server: one small module a capability, around a session that knows the open texts."""
