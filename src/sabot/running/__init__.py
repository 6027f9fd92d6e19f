"""The running of a floor: asyncio in a thin shell around owners that do no input or output."""
