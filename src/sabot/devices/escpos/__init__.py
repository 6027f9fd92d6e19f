"""Ticket printers by ESC/POS, the command language of receipt printers."""
