"""The draw of the seats, and the times of the sessions."""
