import pytest

pytest.register_assert_rewrite(
    *(
        f"tests.journal.{name}"
        for name in ("contract", "appending_contract", "derived_contract", "lease_contract", "samples")
    )
)
