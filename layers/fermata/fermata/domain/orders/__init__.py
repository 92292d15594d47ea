"""The orders that take more than a line, one module each."""
