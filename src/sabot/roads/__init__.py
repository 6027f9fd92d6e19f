"""The roads that every baccarat patron reads, pure and incremental."""
