"""A note acceptor by ccTalk on a port, against a served floor: the driver's discipline holds over a real line."""

import asyncio
import random
from functools import partial
from pathlib import Path

import pytest

from sabot.devices.pseudo_terminal import PseudoTerminal
from sabot.devices.serial_port import PortUnusable, SerialPort
from tests.devices.cctalk_slot import fitted_port
from tests.runtime.floors import until
from tests.served.open_table import open_table

NOTE = 5_000


def test_a_note_in_a_real_port_is_credited_stacked_and_refused_notes_come_back(tmp_path: Path) -> None:
    async def play() -> None:
        async with open_table() as floor:
            slot = await fitted_port(floor, tmp_path)
            with slot.terminal:
                slot.start()
                await until(lambda: slot.validator.insert(NOTE))
                await until(lambda: slot.validator.stacker == [NOTE])
                assert slot.credited == NOTE
                await until(lambda: slot.validator.insert(7_700))
                await until(lambda: slot.validator.given_back == [7_700])
                await until(lambda: slot.validator.insert_ticket("012345678901234566"))
                await until(lambda: slot.validator.tickets_given_back == ["012345678901234566"])
                await slot.machine.stop()
            assert slot.credited == NOTE

    asyncio.run(play())


@pytest.mark.parametrize("seed", range(2))
def test_what_is_credited_is_what_is_stacked_on_a_noisy_port_with_losses_of_power(tmp_path: Path, seed: int) -> None:
    async def play() -> None:
        async with open_table() as floor:
            slot = await fitted_port(floor, tmp_path, trouble=0.1, seed=seed)
            chance, inserted = random.Random(seed), list[int]()
            with slot.terminal:
                slot.start()
                while len(inserted) < 12:
                    cents = chance.choice((500, 1_000, 7_700))
                    await until(partial(slot.validator.insert, cents))
                    inserted.append(cents)
                    await asyncio.sleep(chance.choice((0, 0.005, 0.05)))
                    if chance.random() < 0.4:
                        slot.validator.power_off()
                        slot.validator.power_on()
                    if chance.random() < 0.3:
                        await slot.machine.stop()
                        slot.start()
                slot.line.trouble = 0.0
                await until(lambda: slot.validator.takes_notes)
                await slot.machine.stop()
            validator = slot.validator
            assert sorted(validator.stacker + validator.given_back) == sorted(inserted)
            assert slot.credited == sum(validator.stacker)
            assert set(validator.given_back) <= {7_700}

    asyncio.run(play())


def test_a_cable_that_is_pulled_and_put_back_interrupts_the_slot_and_loses_nothing(tmp_path: Path) -> None:
    async def play() -> None:
        async with open_table() as floor:
            slot = await fitted_port(floor, tmp_path)
            link = tmp_path / "port"
            with slot.terminal:
                link.symlink_to(slot.terminal.path)
                slot.terminal.path = str(link)
                slot.start()
                await until(lambda: slot.validator.insert(NOTE))
                slot.terminal.unplug()
                await until(lambda: "the note acceptor has failed: it does not answer" in slot.attention)
                with PseudoTerminal(slot.hear) as again:
                    link.unlink()
                    link.symlink_to(again.path)
                    await until(lambda: slot.validator.stacker == [NOTE])
                    assert slot.credited == NOTE
                    await slot.machine.stop()

    asyncio.run(play())


def test_a_port_that_cannot_be_used_is_one_sentence(tmp_path: Path) -> None:
    async def play() -> None:
        with pytest.raises(PortUnusable, match="there is no port"):
            SerialPort(str(tmp_path / "none"))
        (tmp_path / "file").touch()
        with pytest.raises(PortUnusable, match="is no serial port"):
            SerialPort(str(tmp_path / "file"))
        with (
            PseudoTerminal(lambda _: b"") as terminal,
            SerialPort(terminal.path),
            pytest.raises(PortUnusable, match="another program uses"),
        ):
            SerialPort(terminal.path)

    asyncio.run(play())
