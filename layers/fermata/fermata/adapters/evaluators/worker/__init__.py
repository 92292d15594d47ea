"""The program of the child process. Nothing here is imported by the rest of Fermata, and nothing here imports it."""
