"""Who a device or a person is: keys, PINs, sessions, the vault of secrets."""
