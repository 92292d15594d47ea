"""The use cases: load, decide, commit, dispatch. One module each."""
