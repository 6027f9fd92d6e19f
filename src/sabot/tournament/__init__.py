"""A tournament, pure: its conditions and their approval, its director, its players, its sessions."""
