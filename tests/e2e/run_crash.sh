#!/bin/sh
# kill -9 of `ax run` (and now and then of its spawner) at random moments, and `ax run --resume`: in the end
# every task has run exactly as often as its history says, in order, and nothing is left behind. SEED= repeats
# a run of this test.
set -eu
cd "$TMPDIR"
export AX_HOME="$TMPDIR/home"
exec python3 - <<'END'
import collections, json, os, random, signal, sqlite3, subprocess, sys, time

seed = int(os.environ.get("SEED", random.randrange(1 << 30)))
wanted = 220 if os.environ.get("AX_LONG") else 25
rng = random.Random(seed)
print(f"SEED={seed}")

WIDTH, LAYERS = 4, 6
lines = ["workflow crash {", "  defaults { timeout = 1m  retry { max = 3  backoff = [5ms] } }"]
for layer in range(LAYERS):
    for i in range(WIDTH):
        name = f"n{layer}_{i}"
        fails = rng.random() < 0.25
        script = f"echo $AX_NODE $AX_ATTEMPT >>effects; sleep 0.0{rng.randrange(1, 6)}"
        script += "; [ $AX_ATTEMPT -gt 1 ]" if fails else ""
        lines.append(f'  task {name} {{ run = "{script}" }}')
        if layer:
            lines += [f"  n{layer - 1}_{j} -> {name}" for j in range(WIDTH)]
open("crash.axf", "w").write("\n".join(lines) + "\n}\n")


def children(pid):
    try:
        return [int(p) for p in open(f"/proc/{pid}/task/{pid}/children").read().split()]
    except OSError:
        return []


def one_run():
    """Drives one run to its end; returns how often something was killed."""
    kills, args = 0, ["crash.axf"]
    while True:
        command = ["ax", "run", *args, "-j3", "--plain"]
        ax = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        try:
            while True:
                error = ax.communicate(timeout=rng.random() * 0.12)[1].decode()
                break
        except subprocess.TimeoutExpired:
            spawners = children(ax.pid)
            victim = spawners[0] if spawners and rng.random() < 0.2 else ax.pid
            os.kill(victim, signal.SIGKILL)
            kills += 1
            if victim != ax.pid:
                try:
                    error = ax.communicate(timeout=rng.random() * 0.12)[1].decode()
                    if ax.returncode == 0:
                        return kills
                except subprocess.TimeoutExpired:
                    ax.kill()
                    ax.wait()
            ax.stderr.close()
            args = ["--resume"]
            continue
        if ax.returncode == 0:
            return kills
        if "no run that has not ended" in error or "nothing was run here yet" in error:
            done = sqlite3.connect("home/ax.db").execute("select count(*) from run").fetchone()[0]
            if done > runs:
                return kills  # it ended in the moment before it was killed
            args = ["crash.axf"]
            continue
        sys.exit(f"ax run {args} ended with {ax.returncode}: {error}")


kills = runs = 0
while kills < wanted:
    if os.path.exists("effects"):
        os.unlink("effects")
    kills += one_run()
    runs += 1
    effects = [tuple(line.split()) for line in open("effects")]
    twice = [e for e, n in collections.Counter(effects).items() if n > 1]
    assert not twice, f"ran twice: {twice}"
    db = sqlite3.connect("home/ax.db")
    run, state = db.execute("select id, state from run order by id desc limit 1").fetchone()
    assert state == "SUCCEEDED", state
    query = "select node, attempt, state, reason from instance where run = ?"
    attempts = db.execute(query, (run,)).fetchall()
    lost = [a for a in attempts if a[2] not in ("SUCCEEDED", "FAILED") or a[3] not in ("none", "exit")]
    assert not lost, f"lost: {lost}"
    assert len(attempts) == len(effects), f"{len(attempts)} attempts, {len(effects)} effects"
    pending = db.execute("select count(*) from outbox").fetchone()[0]
    assert pending == 0, f"{pending} effects were not carried out"
    order = [int(e[0][1:].split("_")[0]) for e in effects]
    assert order == sorted(order), "a task began before one above it had ended"
print(f"{kills} kills in {runs} runs")
END
