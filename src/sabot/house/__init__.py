"""What all tables share, pure, its own stream: side-bet options and tickets."""
