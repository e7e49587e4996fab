const { rmSync } = require('node:fs');

module.exports = async function tearDown() {
  for (const { stop, dataDir } of globalThis.leadlineClusters ?? []) {
    await stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
};
