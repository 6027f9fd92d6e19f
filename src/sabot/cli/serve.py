"""`sabot serve`: runs one process of a floor."""

from pathlib import Path

from sabot.cli.arguments import Flag
from sabot.cli.exit_codes import RECORDS_LOST
from sabot.cli.sentences import in_one_sentence
from sabot.cli.terminal import console
from sabot.cli.terminal import table as columns
from sabot.floor.records.program_digest import program_digest
from sabot.web.serving.floor_file import Floor, read_floor_file
from sabot.web.serving.logs import set_up_logs
from sabot.web.serving.self_checks import check_disk, check_secrets
from sabot.web.serving.server import RecordsLost, run
from sabot.web.serving.server import serve as serve_floor


def serve(*, config: Path, check: Flag = False) -> int:
    """Serve the tables of a floor to stations, consoles and displays, until it is stopped with SIGTERM or Ctrl-C.

        sabot serve --config sabot.toml --check

        sabot serve --config sabot.toml

    No request is answered before every self-check has passed. On a stop, waiting commands are recorded and answered and
    the journal is signed; the next start continues from there. docs/serve.md explains the file; deploy/sabot.toml is a
    complete example.

    Parameters
    ----------
    config
        The floor's file.
    check
        Only check the file, the tables and the secrets, and report what is wrong with them.
    """
    wanted = read_floor_file(config)
    if check:
        return _show(wanted)
    set_up_logs(wanted.file.log.level, wanted.file.log.form)
    with in_one_sentence():
        try:
            run(serve_floor(wanted, program_digest()))
        except RecordsLost as lost:
            console(to_error=True).print(f"sabot: {lost}")
            return RECORDS_LOST
    return 0


def _show(wanted: Floor) -> int:
    file = wanted.file
    set_up_logs("error", "auto")
    check_secrets(file)
    check_disk(file)
    file.listen.tls()
    out = console()
    out.print(f"{file.floor}: {file.listen.host} port {file.listen.port}, journal {file.journal.place}")
    shown = columns("table", "rule set", "stations|", "dealer")
    for one in wanted.tables:
        configuration = one.configuration
        shown.add_row(configuration.table, configuration.rule_set, str(len(configuration.stations)), one.part.dealer)
    out.print(shown)
    out.print("the file is good", style="green")
    return 0
