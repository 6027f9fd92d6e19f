"""What a page weighs over the wire."""

from playwright.async_api import Page, Request


class Scales:
    """Weighs all answers that a page gets, as they were sent, with their heads."""

    def __init__(self, page: Page) -> None:
        self._asked: list[Request] = []
        page.on("requestfinished", self._finished)

    def _finished(self, request: Request) -> None:
        if not request.url.endswith(".bin"):  # The voice comes after the first touch, where sound is on.
            self._asked.append(request)

    async def weight(self) -> int:
        sizes = [await request.sizes() for request in self._asked]
        return sum(one["responseBodySize"] + one["responseHeadersSize"] for one in sizes)
