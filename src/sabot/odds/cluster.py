"""Simulation workers on a Dask cluster. Every machine needs the same version of Sabot.

Blocks are larger than a thread's, because each costs a round trip. The shoes dealt do not depend on the block size.
"""

from collections import deque
from typing import Any, Final

from sabot.basics.mistake import Mistake
from sabot.odds.dealing import Dealing
from sabot.odds.histogram import Histogram
from sabot.odds.simulated_arrays import ABREAST
from sabot.odds.workers import Watch, blocks, deal_block

BLOCK: Final = 8 * ABREAST
"""About five million coups: some hundredths of a second for the kernel, a second or two for NumPy."""

SECONDS_TO_CONNECT: Final = 10
BLOCKS_UNDER_WAY: Final = 4
"""For each thread of the cluster: enough that none waits for its next block, few enough for the scheduler."""


class Cluster:
    def __init__(self, address: str) -> None:
        self._client = _connect(address)
        self.name = f"the cluster at {address}"

    def deal(self, dealing: Dealing, seed: int, shoes: range, watch: Watch) -> Histogram:
        to_come = blocks(shoes, BLOCK)
        under_way: deque[tuple[range, Any]] = deque()
        dealt = Histogram(told_apart=dealing.told_apart)
        most = BLOCKS_UNDER_WAY * max(1, sum(self._client.nthreads().values()))
        try:
            while True:
                while len(under_way) < most and (block := next(to_come, None)) is not None:
                    future = self._client.submit(deal_block, dealing, seed, block, pure=False)
                    under_way.append((block, future))
                if not under_way:
                    break
                block, future = under_way[0]
                counts = future.result()
                under_way.popleft()
                dealt.add(len(block), counts)
                watch(dealt)
        except KeyboardInterrupt:
            self._client.cancel([future for _, future in under_way])
        return dealt


def _connect(address: str) -> Any:
    try:
        from distributed import Client  # noqa: PLC0415  An optional dependency.
    except ImportError:
        raise Mistake("a Dask cluster needs the extra: install sabot[dask]") from None
    try:
        return Client(address, timeout=SECONDS_TO_CONNECT)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        raise Mistake(f"no Dask scheduler answers at {address}: {error}") from None
