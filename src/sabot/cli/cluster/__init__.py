"""`sabot drill cluster`: a floor on a database of three machines, and what becomes of it when one of them fails."""
