"""Evaluations: for each, one frozen request, one function, one frozen result.

The command line, the workbench, the HTTP API and notebooks are doors to what is here: they make a request, call the
function and show the result. Modules of this folder load nothing heavy until a function is called, since the command
line derives its options from the requests.
"""
