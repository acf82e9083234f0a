"""Checks `axc cron` against a second opinion that shares nothing with it: Python's zoneinfo, walked minute by
minute under the rules of docs/language.md.

    cron_walk.py EXPRESSIONS.txt [--long]

Expressions: one a line; those that cannot be read here must be refused by axc too, and the other way round.
Each is walked over days around changes of clocks in zones and years that are drawn with a fixed seed. Then
the offsets around changes of clocks are compared, second by second. --long draws from all zones and 70 years.
Ends with "N passed, N failed".

The rules, once more and from scratch. A minute fires if its wall clock matches. With a minute or hour field
that starts with * that is all. Else: of a wall time that comes twice only the first fires; and where less
than three hours are left out, the first minute after them fires once for whatever was left out. Day-of-month
and day-of-week must both match if one of their texts starts with * or is ?; otherwise one is enough.
"""
import calendar
import datetime
import json
import random
import re
import subprocess
import sys
import zoneinfo
from concurrent.futures import ThreadPoolExecutor

SEED = 20261130
# All expressions are walked over these: an hour that comes twice, and one that is left out, over midnight.
ALWAYS = [("America/New_York", "2026-11-01T06:00:00Z"), ("America/Nuuk", "2025-03-30T01:00:00Z")]
MINUTE, HOUR, DAY = 60, 3600, 86400
MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
WEEKDAYS = "sun mon tue wed thu fri sat".split()
MACROS = {"@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *", "@monthly": "0 0 1 * *", "@weekly": "0 0 * * 0",
          "@daily": "0 0 * * *", "@midnight": "0 0 * * *", "@hourly": "0 * * * *"}
FIELDS = [(0, 59, {}), (0, 59, {}), (0, 23, {}), (1, 31, {}),
          (1, 12, {m: i for i, m in enumerate(MONTHS, 1)}), (0, 7, {d: i for i, d in enumerate(WEEKDAYS)})]
UTC = datetime.timezone.utc


# ------------------------------------------------------------------------------------------- expressions

def number(text, low, high, names):
    value = names[text] if text in names else int(text) if re.fullmatch(r"\d+", text) else None
    if value is None or not low <= value <= high:
        raise ValueError(text)
    return value


def plain_item(item, low, high, names):
    """Values of 5, 5-9, */2, 5-20/3, 5/3."""
    body, slash, step = item.partition("/")
    if slash and not re.fullmatch(r"0*[1-9]\d*", step):
        raise ValueError(item)
    step = int(step) if slash else 1
    if body == "*":
        # Sunday is 0 and 7: a step over all weekdays runs from 0 to 6.
        return range(low, (6 if high == 7 else high) + 1, step)
    first, dash, last = body.partition("-")
    first = number(first, low, high, names)
    if not dash:
        return range(first, (6 if high == 7 else high) + 1, step) if step > 1 else [first]
    last = number(last, low, high, names)
    if high == 7 and last == 0 and first > 0:
        last = 7  # fri-sun
    if first > last:
        raise ValueError(item)
    return range(first, last + 1, step)


def day_item(item):
    """A test of (day, length of the month, weekday of the 1st) for one item of day-of-month."""
    if item == "l":
        return lambda d, n, w: d == n
    if item == "lw":
        return lambda d, n, w: d == nearest(n, n, w)
    if match := re.fullmatch(r"l-(\d+)", item):
        back = int(match[1])
        if back > 30:
            raise ValueError(item)
        return lambda d, n, w: d == n - back
    if match := re.fullmatch(r"(\d+)w", item):
        day = number(match[1], 1, 31, {})
        return lambda d, n, w: day <= n and d == nearest(day, n, w)
    values = set(plain_item(item, *FIELDS[3]))
    return lambda d, n, w: d in values


def nearest(day, length, first_weekday):
    """The weekday from Monday to Friday that is nearest to a day, inside its month."""
    ranked = sorted(range(1, length + 1), key=lambda d: (abs(d - day), d))
    return next(d for d in ranked if (first_weekday + d - 1) % 7 not in (0, 6))


def weekday_item(item):
    """The same for day-of-week."""
    if match := re.fullmatch(r"(\w+)#([1-5])", item):
        day, nth = number(match[1], *FIELDS[5]) % 7, int(match[2])
        return lambda d, n, w: (w + d - 1) % 7 == day and (d - 1) // 7 + 1 == nth
    if match := re.fullmatch(r"(\w+)l", item):
        day = number(match[1], *FIELDS[5]) % 7
        return lambda d, n, w: (w + d - 1) % 7 == day and d + 7 > n
    values = {v % 7 for v in plain_item(item, *FIELDS[5])}
    return lambda d, n, w: (w + d - 1) % 7 in values


class Cron:
    def __init__(self, text):
        words = text.split()
        if len(words) == 1 and words[0] in MACROS:
            words = MACROS[words[0]].split()
        if len(words) not in (5, 6):
            raise ValueError("fields")
        raw = [w.lower() for w in (["0"] if len(words) == 5 else []) + words]
        self.second, self.minute, self.hour = (
            {v for item in raw[i].split(",") for v in plain_item(item, *FIELDS[i])} for i in range(3))
        self.month = {v for item in raw[4].split(",") for v in plain_item(item, *FIELDS[4])}
        any_day = [lambda d, n, w: True]
        self.dates = any_day if raw[3] == "?" else [day_item(i) for i in raw[3].split(",")]
        self.weekdays = any_day if raw[5] == "?" else [weekday_item(i) for i in raw[5].split(",")]
        self.both = any(raw[i].startswith("*") or raw[i] == "?" for i in (3, 5))
        self.real_time = raw[1].startswith("*") or raw[2].startswith("*")

    def on_day(self, date):
        if date.month not in self.month:
            return False
        length = calendar.monthrange(date.year, date.month)[1]
        first_weekday = (date.replace(day=1).weekday() + 1) % 7
        by_date = any(test(date.day, length, first_weekday) for test in self.dates)
        by_weekday = any(test(date.day, length, first_weekday) for test in self.weekdays)
        return by_date and by_weekday if self.both else by_date or by_weekday


# --------------------------------------------------------------------------------------------------- zones

def offset(zone, at):
    return int(datetime.datetime.fromtimestamp(at, UTC).astimezone(zone).utcoffset().total_seconds())


def changes(zone, first_year, last_year):
    """Instants of changes of offset: a weekly look, then halving."""
    at, end = (int(datetime.datetime(y, 1, 1, tzinfo=UTC).timestamp()) for y in (first_year, last_year))
    found, old = [], offset(zone, at)
    while at < end:
        at, new = at + 7 * DAY, offset(zone, at + 7 * DAY)
        if new != old:
            low, high = at - 7 * DAY, at
            while high - low > 1:
                middle = (low + high) // 2
                low, high = (middle, high) if offset(zone, middle) == old else (low, middle)
            found.append(high)
            old = offset(zone, high)
            at = high
    return found


class Days:
    """Some days of a zone, minute by minute: (instant, date, minute of the day, seconds that are left out
    before it, whether its wall time has come before)."""

    def __init__(self, zone, start, end):
        self.start, self.end, self.minutes = start, end, []
        shown_until = old = None
        for at in range(start - DAY, end, MINUTE):
            new = offset(zone, at)
            wall = at + new
            jump = 0 if old is None else new - old
            again = shown_until is not None and wall < shown_until
            shown_until = wall + MINUTE if shown_until is None else max(shown_until, wall + MINUTE)
            old = new
            if at >= start:
                moment = datetime.datetime.fromtimestamp(wall, UTC)
                self.minutes.append((at, moment.date(), wall % DAY // MINUTE, jump, again))

    def firings(self, cron):
        days = {}

        def matches(date, minute):
            if minute % 60 not in cron.minute or minute // 60 not in cron.hour:
                return False
            if date not in days:
                days[date] = cron.on_day(date)
            return days[date]

        seconds = sorted(cron.second)
        for at, date, minute, jump, again in self.minutes:
            if 0 < jump < 3 * HOUR and not cron.real_time:
                wall = datetime.datetime.combine(date, datetime.time()) + datetime.timedelta(minutes=minute)
                left_out = [wall - datetime.timedelta(seconds=s) for s in range(MINUTE, jump + 1, MINUTE)]
                owed = any(matches(w.date(), w.hour * 60 + w.minute) for w in left_out)
                if owed and not (seconds[0] == 0 and matches(date, minute)):
                    yield at
            if matches(date, minute) and (cron.real_time or not again):
                yield from (at + s for s in seconds)


# ----------------------------------------------------------------------------------------------- comparing

def instant(at):
    return datetime.datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def axc_cron(expressions, zone, after, count):
    """What axc says of each expression."""
    options = ["--json", "-z", zone, "--after", instant(after), "-n", str(count), "--"]
    done = subprocess.run(["axc", "cron", *options, *expressions], capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"axc cron ended with {done.returncode}: {done.stderr[:2000]}")
    decoder, at, answers = json.JSONDecoder(), 0, []
    while at < len(done.stdout):
        answer, at = decoder.raw_decode(done.stdout, at)
        answers.append(answer)
        at += len(done.stdout[at:]) - len(done.stdout[at:].lstrip())
    assert [a["expression"] for a in answers] == expressions, "an answer for each expression"
    return answers


def wanted(days, cron, count):
    found = []
    for at in days.firings(cron):
        found.append(at)
        if len(found) == count:
            break
    return found


def compare_window(name, days, expressions, crons):
    """Problems of the expressions over some days of a zone."""
    count = 200  # for every minute: two hours before a change, and more than one after it
    answers = axc_cron(expressions, name, days.start - 1, count)
    problems = []
    for expression, cron, answer in zip(expressions, crons, answers):
        got = [a["at"] for a in answer.get("next", []) if a["at"] < instant(days.end)]
        want = [instant(at) for at in wanted(days, cron, count)]
        if got != want:
            at = next((i for i, (a, b) in enumerate(zip(got, want)) if a != b), min(len(got), len(want)))
            problems.append(f"'{expression}' in {name} from {instant(days.start)}: firing {at + 1} is "
                            f"{got[at:at + 1]}, not {want[at:at + 1]}")
    return problems


def compare_syntax(texts):
    """Problems, and the (expression, Cron) that both sides can read."""
    problems, readable = [], []
    for text, answer in zip(texts, axc_cron(texts, "UTC", 0, 1)):
        try:
            cron = Cron(text)
        except ValueError:
            cron = None
        if (cron is None) != ("error" in answer):
            problems.append(f"'{text}' is {'no' if cron is None else 'an'} expression, but axc says {answer}")
        elif cron:
            readable.append((text, cron))
    return problems, readable


def compare_offsets(name, at):
    """Problems of a zone's offset around a change of clocks."""
    answer = axc_cron(["* * * * * *"], name, at - 3, 5)[0]
    zone, problems = zoneinfo.ZoneInfo(name), []
    for got, moment in zip(answer["next"], range(at - 2, at + 3)):
        local = datetime.datetime.fromtimestamp(moment, UTC).astimezone(zone).isoformat()
        if got["at"] != instant(moment) or got["local"] != local:
            problems.append(f"{name} at {instant(moment)}: {got}, not {local}")
    return problems


def draw_changes(draw, is_long):
    """(zone, instant) of changes of clocks: in the short form a few years of a few zones."""
    names = sorted(zoneinfo.available_timezones() - {"Factory"})
    found = []
    for name in names if is_long else draw.sample(names, 70):
        spans = [(1975, 2045), (2090, 2092)] if is_long else [(y := draw.randrange(1975, 2045), y + 3)]
        # Walks are by whole minutes; a few changes long ago were not.
        at = [t for span in spans for t in changes(zoneinfo.ZoneInfo(name), *span)]
        found += [(name, t) for t in at if t % MINUTE == 0]
    return found


def main():
    is_long = "--long" in sys.argv[2:]
    draw = random.Random(SEED)
    lines = open(sys.argv[1], encoding="utf-8").read().splitlines()
    texts = list(dict.fromkeys(line for line in lines if not line.startswith("# ")))
    problems, readable = compare_syntax(texts)
    found = draw_changes(draw, is_long)
    windows = draw.sample(found, min(len(found), 1500 if is_long else 24))
    edges = draw.sample(found, min(len(found), 4000 if is_long else 60))
    passed = len(texts) - len(problems) + len(edges)
    jobs = []
    always = [(name, int(datetime.datetime.fromisoformat(at).timestamp())) for name, at in ALWAYS]
    with ThreadPoolExecutor() as pool:
        for name, at in always + windows:
            days = Days(zoneinfo.ZoneInfo(name), at - 2 * HOUR, at + 26 * HOUR)
            some = readable if (name, at) in always else draw.sample(readable, min(50, len(readable)))
            jobs.append(pool.submit(compare_window, name, days, [t for t, _ in some], [c for _, c in some]))
            passed += len(some)
        jobs += [pool.submit(compare_offsets, name, at) for name, at in edges]
    for job in jobs:
        passed -= len(job.result())
        problems += job.result()
    for problem in problems[:40]:
        print(problem)
    print(f"{passed} passed, {len(problems)} failed")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
