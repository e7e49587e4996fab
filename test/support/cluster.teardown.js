const { once } = require('node:events');

/** The watcher ends the clusters, as it does when nobody comes to call this. */
module.exports = async function tearDown() {
  const watcher = globalThis.leadlineWatcher;
  // One that was ended from outside has nothing more to say.
  if (watcher.exitCode !== null || watcher.signalCode !== null)
    throw new Error('the watcher of this run is gone');
  watcher.ref();
  watcher.stdin.on('error', () => undefined);
  const ended = once(watcher, 'exit');
  watcher.stdin.end();
  const [code] = await ended;
  if (code !== 0) throw new Error('some processes of this run do not end: look for them by ps');
};
