"""Service accounts: programs of others that read figures or pay tickets."""
