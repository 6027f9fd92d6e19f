"""Tables played by lines: `sabot table`, the scenarios and the tests drive the owners of a served floor this way."""
