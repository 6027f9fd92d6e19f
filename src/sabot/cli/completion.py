"""`sabot completion`: the words of every command, for the shell's Tab key."""

from typing import Literal


def completion(shell: Literal["bash", "zsh", "fish"], /) -> int:
    """Print what lets a shell complete the commands and options of sabot with the Tab key.

        sabot completion bash > ~/.local/share/bash-completion/completions/sabot

        sabot completion zsh > ~/.zfunc/_sabot

        sabot completion fish > ~/.config/fish/completions/sabot.fish

    It is in force in the next shell that is started. For zsh, ~/.zfunc must be in fpath before compinit is called.

    Parameters
    ----------
    shell
        Which shell it is for.
    """
    from sabot.cli.commands import app

    print(app.generate_completion(prog_name="sabot", shell=shell), end="")  # noqa: T201  It is the answer.
    return 0
