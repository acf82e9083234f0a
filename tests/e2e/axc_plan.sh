#!/bin/sh
# axc plan: the commands it shows do what the run does, whatever the values; its instants are those of
# axc cron.
set -eu
cd "$TMPDIR"

cat >w.axf <<'AXF'
workflow w {
  param p : string
  schedule { cron = "15 2 * * *"  timezone = "Europe/Berlin" }
  defaults { timeout = 1m }
  task open { run = "printf '<%s>' {{ p }} a{{ p }}b {{ date }}" }
  task quoted { run = "printf '<%s>' \"x {{ p }} y\" \"{{ p }}{{ p }}\"" }
  task here {
    run = """
      cat <<END
      [{{ p }}] {{ date - 1d }}
      END
    """
  }
  task words { exec = ["printf", "<%s>", "{{ p }}", "{{ node.name }}"] }
}
AXF

# Each command, as it is shown, in a shell that knows nothing but the variables that are shown with it.
cat >try.py <<'PY'
"""The outputs of the planned commands of w.axf, and what they have to be, for hostile values of p."""
import json
import subprocess

VALUES = ["plain", "", " ", "two words", "it's", 'say "hi"', "$HOME ${HOME} $(id) `id`", "back\\slash\\",
          "new\nline\n", "*?[a]~",
          "-n", "&& exit 9;|<>#!", "{{ p }}", "é\t\U0001f600", "AX_V1", '"$AX_V1"', "'"]
for p in VALUES:
    done = subprocess.run(["axc", "plan", "w.axf", "-d", "2026-11-30", "-p", "p=" + p, "--json"],
                          capture_output=True, check=True)
    for node in json.loads(done.stdout)["nodes"]:
        if node["name"] == "words":
            command = [a["value"] for a in node["argv"]]
        else:
            command = ["sh", "-eu", "-c", node["command"]]
        env = {"PATH": "/usr/bin:/bin", **{n: v["value"] for n, v in node.get("bind", {}).items()}}
        got = subprocess.run(command, capture_output=True, env=env, check=True).stdout.decode()
        want = {"open": f"<{p}><a{p}b><2026-11-30>", "quoted": f"<x {p} y><{p}{p}>", "words": f"<{p}><words>",
                "here": f"[{p}] 2026-11-29\n"}[node["name"]]
        assert got == want, (p, node, got, want)
PY
python3 try.py

# The next instants are those of axc cron, and the run is the first of them.
axc plan w.axf -d 2027-03-27 -p p=x --json >plan.json
axc cron '15 2 * * *' -z Europe/Berlin --after 2027-03-27 -n 10 --json >cron.json
[ "$(jq -c '.schedules[0].next' plan.json)" = "$(jq -c .next cron.json)" ]
[ "$(jq -r .scheduled_at plan.json)" = "$(jq -r '.next[0].at' cron.json)" ]
[ "$(jq -r .interval_end plan.json)" = "$(jq -r '.next[1].at' cron.json)" ]

# A backfill shows the same instants, whatever the zone of the host; its ends are inclusive.
for zone in UTC Asia/Tokyo; do
    TZ=$zone axc plan w.axf --from 2027-03-27 --to 2027-04-05 --json >runs.json
    jq -c '[.runs[].scheduled_at]' runs.json >"$(echo $zone | tr / -)"
done
cmp UTC Asia-Tokyo
[ "$(cat UTC)" = "$(jq -c '[.next[].at]' cron.json)" ]
[ "$(axc plan w.axf --from 2027-03-28 --to 2027-03-28 --json | jq .count)" = 1 ]

# A day has 23, 24 or 25 hours.
cat >h.axf <<'AXF'
workflow h {
  schedule { cron = "0 * * * *"  timezone = "America/New_York" }
  task a { run = "a"  timeout = 1m }
}
AXF
count() { axc plan h.axf --from "$1" --to "$1" --json | jq .count; }
[ "$(count 2025-11-01) $(count 2025-11-02) $(count 2025-03-09)" = "24 25 23" ]
