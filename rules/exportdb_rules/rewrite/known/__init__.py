"""What is known of the code at hand before any of it is moved: values, names, control flow, effects."""
