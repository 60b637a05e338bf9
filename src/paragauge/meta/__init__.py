"""How far a number can be trusted, and how far metrics agree with people: intervals, tests, correlations."""
