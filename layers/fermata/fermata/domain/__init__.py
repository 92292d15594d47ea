"""The pure core: given values, return values. No I/O, no clock, no randomness, no logging, no AWS words."""
