"""The conditions of a tournament (CROWN 12.2.1): their parts, their checks, their files and their document."""
