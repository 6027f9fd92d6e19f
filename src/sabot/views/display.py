"""The display's view, which holds nothing of a patron's own (CROWN 1.1 "WND")."""

from sabot.views.public import Public, PublicSections, shown_to_all


class DisplayView(PublicSections, frozen=True, kw_only=True):
    pass


def display_view(public: Public) -> DisplayView:
    return DisplayView(**shown_to_all(public))
