"""What stands around a model: its inputs and outputs, its dimensions, export's own names, what is for eager only."""
