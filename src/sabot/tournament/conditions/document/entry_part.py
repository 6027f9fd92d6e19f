"""The sections on persons: fee, eligibility, entry, leaving, absence, and how sessions are conducted."""

from sabot.basics.money import write_amount
from sabot.tournament.conditions.document.form import DocumentSection
from sabot.tournament.conditions.document.play_part import local_time
from sabot.tournament.conditions.parts import Balances, Conditions
from sabot.tournament.conditions.words import ConditionsWords


def fee_section(conditions: Conditions, words: ConditionsWords) -> DocumentSection:
    entry = conditions.entry
    line = words("fee_none")
    if entry.fee_cents:
        line = words("fee", fee=write_amount(entry.fee_cents), part=write_amount(entry.to_pool_cents))
    return DocumentSection("CROWN 12.2.1(a)", words("section_a"), (line,))


def eligibility_section(conditions: Conditions, words: ConditionsWords) -> DocumentSection:
    lines = (
        f"(i) {words('entitled_only')}",
        *([f"(ii) {words('may_refuse')}"] if conditions.eligibility.may_refuse else []),
        *(f"(iii) {words('criterion', text=words.text(one.text))}" for one in conditions.eligibility.criteria),
    )
    return DocumentSection("CROWN 12.2.1(f)", words("section_f"), lines)


def entry_section(conditions: Conditions, words: ConditionsWords) -> DocumentSection:
    entry = conditions.entry
    fields = [words.sentences.get(f"field_{field}", field.replace("_", " ")) for field in entry.form]
    lines = (
        words.text(entry.terms),
        words("entry_times", opens=local_time(entry.opens), closes=local_time(entry.closes)),
        words("entry_withdraw", until=local_time(entry.withdraw_free_until)),
        words("entry_numbers", minimum=entry.minimum_players, maximum=entry.maximum_players),
        *([words("entry_alternates", alternates=entry.alternates)] if entry.alternates else []),
        words("entry_form", fields=words.listed(fields)),
    )
    return DocumentSection("CROWN 12.2.1(g)", words("section_g"), lines)


def leaving_section(conditions: Conditions, words: ConditionsWords) -> DocumentSection:
    retirement = conditions.leaving.retirement
    line = words("retirement_none")
    if retirement.allowed:
        line = words(f"retirement_{retirement.score.value}", percent=retirement.refund_percent)
    head = (words("head_ground"), words("head_refund"))
    rows = ((words.text(one.text), f"{one.refund_percent}%") for one in conditions.leaving.grounds)
    return DocumentSection("CROWN 12.2.1(h)", words("section_h"), (line,), (head, *rows))


def absence_section(conditions: Conditions, words: ConditionsWords) -> DocumentSection:
    attendance = conditions.attendance
    late, absent = attendance.late, attendance.absent
    lines = [words("grace", minutes=attendance.grace_minutes), words("late_refused")]
    if late.admitted:
        lines[1] = words("late_admitted", latest=late.latest_coup, penalty=write_amount(late.penalty_credits))
    refunds = {"percent": absent.refund_percent, "buy_in": absent.buy_in_refund_percent}
    lines.append(words(f"absent_{absent.outcome.value}", **refunds))
    return DocumentSection("CROWN 12.2.1(i)", words("section_i"), tuple(lines))


def conduct_section(conditions: Conditions, words: ConditionsWords) -> DocumentSection:
    conduct = conditions.conduct
    substitutes = words("substitutes_none")
    if conduct.substitutes.allowed:
        substitutes = words("substitutes", latest=conduct.substitutes.latest_coup)
    cash = any(one.balances is Balances.CASH for one in conditions.rounds)
    lines = (
        words("briefing"),
        words("signature_required" if conduct.signature else "signature_waived"),
        words("presence"),
        substitutes,
        words("start_notice", minutes=conduct.start_notice_minutes),
        words("early_end"),
        *([words("early_end_cash")] if cash else []),
    )
    return DocumentSection("CROWN 12.2.3–12.3.5", words("section_conduct"), lines)
