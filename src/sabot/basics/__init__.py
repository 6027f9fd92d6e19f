"""What every room uses and no rule of baccarat decides: mistakes, money, roles, persistent collections."""
