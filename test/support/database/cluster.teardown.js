/** The watcher ends the clusters, as it does when this is never called. */
module.exports = async function tearDown() {
  await globalThis.leadlineRunFolder.close();
};
