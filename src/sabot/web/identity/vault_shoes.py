"""Virtual shoes in the vault, so that every process of the floor can go on with a shoe when another has died.

Each lies under its commitment. Of two processes that shuffle the same shoe, the one whose shoe is brought in by the
journal has its own to deal, whatever the other stored.
"""

import asyncio

from sabot.basics.mistake import Mistake
from sabot.floor.virtual.shoe import VirtualShoe
from sabot.runtime.shoe_files import ShoeFiles, ShoeKey, ShoesAway, shuffled
from sabot.web.identity.vault import Unavailable, Vault

MISSING_S = 25.0
"""How long a shoe that is not found is looked for: a primary that is no longer one may be read for as long as its
manager takes to stop it."""
LOOK_S = 1.0


class VaultShoes:
    def __init__(self, vault: Vault, key: ShoeKey, before: ShoeFiles, missing_s: float = MISSING_S) -> None:
        """`before` is the folder of shoes that were begun before shoes lay in the vault."""
        self._vault, self._key, self._before = vault, key, before
        self._missing_s = missing_s

    async def check_key(self) -> None:
        """Refuse a key that is not the one which locked the shoes that are there."""
        if not await self._vault.has_shoes():  # A lost key is not replaced in silence.
            self._key.make()
        await self._check_digest()

    async def _check_digest(self) -> None:
        if await self._vault.shoe_key(self._key.digest) != self._key.digest:
            raise Mistake(
                f"the floor's key {self._key.path} is not the one that locked the virtual shoes of this floor: give "
                "every process the same key"
            )

    async def new(self, table: str, number: int, decks: int) -> VirtualShoe:
        shoe = shuffled(table, number, decks)
        try:
            await self._check_digest()  # Another process may have begun with another key before there was a shoe.
            await self._vault.keep_shoe(table, number, shoe.commitment, self._key.locked(shoe).decode())
        except Unavailable as away:
            raise ShoesAway(away.why) from None
        return shoe

    async def find(self, table: str, number: int, commitment: str) -> VirtualShoe:
        patience_s = self._missing_s
        while (written := await self._written(table, number, commitment)) is None:
            if self._before.path(table, number).exists():
                return self._before.find(table, number)
            if patience_s <= 0:
                raise Mistake(f"shoe {number} is not in the vault")
            patience_s -= LOOK_S
            await asyncio.sleep(LOOK_S)
        try:
            return self._key.unlocked(written.encode(), table, number)
        except Mistake as mistake:
            raise Mistake(f"shoe {number} in the vault is of no use: {mistake}") from None

    async def forget(self, table: str, number: int) -> None:
        self._before.forget(table, number)
        try:
            await self._vault.forget_shoes(table, number)
        except Unavailable as away:
            raise ShoesAway(away.why) from None

    async def _written(self, table: str, number: int, commitment: str) -> str | None:
        try:
            return await self._vault.shoe(table, number, commitment)
        except Unavailable as away:
            raise ShoesAway(away.why) from None
