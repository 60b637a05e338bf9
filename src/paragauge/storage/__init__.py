"""Storage on disk and in memory: the engine, columns, links, and tables in parts."""
