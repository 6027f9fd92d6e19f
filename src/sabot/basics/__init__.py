"""What every room uses and is no rule of baccarat: mistakes, money, roles, Merkle trees, persistent collections."""
