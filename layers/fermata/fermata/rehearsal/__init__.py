"""The engine in memory on a virtual clock: what a run would do, without a table, a queue or a vendor."""
