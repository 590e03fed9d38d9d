"""What a module keeps from call to call, as buffers."""
