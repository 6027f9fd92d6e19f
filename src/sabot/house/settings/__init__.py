"""The house itself: its days and tickets as configured, its tables, and the options that all of them play by."""
