"""The one way in: a project and its texts -> findings and, when somebody asks, fixes."""
