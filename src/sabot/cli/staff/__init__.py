"""`sabot staff`: the PINs that staff sign on with, and the ways in from the machine itself."""

from cyclopts import App

from sabot.cli.help_text import late_commands, paragraphs

staff = App(
    name="staff",
    help_epilogue=paragraphs("""Every member of staff has a reference on the house's staff list and a PIN in the
    vault. It is separate from the journal, so a PIN can be changed and deleted:

        sabot staff set-pin CS1 --store floor.vault

    The codes of all stations, consoles and displays are one printed sheet:

        sabot staff codes floor/sabot.toml --by TE1 --second CS1 -o codes.html

    The PIN is asked for twice at a terminal, and otherwise read from standard input. It is never an argument, which
    other users of the machine could see."""),
)
late_commands(
    staff,
    {
        "set-pin": ("sabot.cli.staff.pins:set_pin", "Give a person a PIN and end the person's sessions."),
        "forget-pin": ("sabot.cli.staff.pins:forget_pin", "Delete a person's PIN and end the person's sessions."),
        "unlock": ("sabot.cli.staff.pins:unlock", "Let a person try again who is locked out after wrong PINs."),
        "invite": ("sabot.cli.staff.pins:invite", "Invite one device from the machine itself."),
        "codes": ("sabot.cli.staff.codes:codes", "Print a sheet of codes that enrol the devices of the tables."),
        "backup": (
            "sabot.cli.staff.vault_copy:backup",
            "Copy the vault to a new file, also while the floor is served.",
        ),
        "make-store": ("sabot.cli.staff.pins:make_store", "Create the vault's tables in a PostgreSQL database."),
    },
)
