"""Untrusted expressions, evaluated in a child process: `child_evaluator` is the adapter, `worker` is what runs in the child."""
