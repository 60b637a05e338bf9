"""How data lies on disk and in memory: the engine, columns, links, tables in parts."""
