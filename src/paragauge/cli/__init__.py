"""The command line: parse, call, render. One file a verb."""
