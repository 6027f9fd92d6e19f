"""Random nights: every act by every role at a table, and whether a supervisor can always end the night lawfully."""
