/** The watcher ends the clusters, as it does when nobody comes to call this. */
module.exports = async function tearDown() {
  await globalThis.leadlineRunFolder.close();
};
