"""Evaluations, each with a frozen request, a function and a frozen result.

The command line, the workbench, the HTTP API and notebooks are front ends to this package: they build a request, call
the function and show the result. Modules of this folder import nothing heavy until a function is called, since the
command line derives its options from the requests.
"""
