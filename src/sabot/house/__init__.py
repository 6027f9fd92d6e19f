"""What all tables share, pure, its own stream: options, staff, devices, exclusions, tickets and the gaming day."""
