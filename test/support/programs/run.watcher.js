const { readFileSync, readdirSync, readlinkSync, rmSync } = require('node:fs');
const { setTimeout: sleep } = require('node:timers/promises');

const LOOK_AGAIN_MS = 50;
/** An immediate shutdown of PostgreSQL; who has not gone by then hangs, or was stopped by a test. */
const QUIT_WAIT_MS = 10_000;
const DEADLINE_MS = 30_000;

/**
 * Ends what a test run leaves: all processes of its folder, then the folder. Only the watcher cleans up, also after a
 * successful run, so that this path is used every day.
 *
 * It leads a separate session, which no Ctrl-C reaches, and waits for the end of its input: the kernel closes the
 * run's end of that pipe however the run dies.
 */
const folder = process.argv[2];
process.stdin.resume().on('end', () => {
  endAll().then(
    () => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }),
    () => process.exit(1),
  );
});

async function endAll() {
  const begun = performance.now();
  // Until a check finds no process: a process that is being killed may have started another.
  for (let found = processes(); found.length > 0; found = processes()) {
    const waited = performance.now() - begun;
    if (waited > DEADLINE_MS) throw new Error('they do not end');
    for (const { pid, isPostgres } of found) {
      // PostgreSQL killed outright leaves its shared memory to the machine.
      if (isPostgres && waited < QUIT_WAIT_MS) send(pid, 'SIGQUIT');
      else send(pid, 'SIGKILL');
    }
    await sleep(LOOK_AGAIN_MS);
  }
}

/**
 * What a run starts has its folder for temporary files, or as its home. PostgreSQL is started with an environment of
 * its own, but works in its data directory.
 */
function processes() {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid)
    .map((pid) => ({ pid, isPostgres: isPostgresOfTheRun(pid) }))
    .filter(({ pid, isPostgres }) => isPostgres || hasFolderOfTheRun(pid));
}

const isBelow = (path) => path === folder || path.startsWith(`${folder}/`);

function isPostgresOfTheRun(pid) {
  const name = look(() => readFileSync(`/proc/${pid}/comm`, 'utf8'));
  if (!/^(postgres|initdb)/.test(name)) return false;
  // In a container root may not see where another user's process works, but may see how it was called.
  const call = look(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')).split(/[\0=]/);
  return isBelow(look(() => readlinkSync(`/proc/${pid}/cwd`))) || call.some(isBelow);
}

function hasFolderOfTheRun(pid) {
  return look(() => readFileSync(`/proc/${pid}/environ`, 'utf8'))
    .split('\0')
    .some((setting) => /^(TMPDIR|HOME)=/.test(setting) && isBelow(setting.slice(setting.indexOf('=') + 1)));
}

/** Nothing, of a process that ended meanwhile or that is somebody else's. */
function look(act) {
  try {
    return act();
  } catch {
    return '';
  }
}

function send(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended meanwhile.
  }
}
