/** The watcher ends the clusters, as it does when this is never called. */
module.exports = async function tearDown() {
  // Where jest itself is the only worker.
  await require('../worker/worker.shared').close();
  await globalThis.leadlineRunFolder.close();
};
