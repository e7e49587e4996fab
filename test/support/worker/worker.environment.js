const { TestEnvironment } = require('jest-environment-node');
// Loaded by Node itself, once for a worker of jest: what it holds outlives the files of tests.
const shared = require('./worker.shared');

/** Of jest's messages to a worker, the last one. */
const END = 2;

/** Jest waits for half a second. What the worker's process began in it ends with it, but its servers do not. */
function end() {
  shared.killServers();
  process.exit();
}
if (process.send) process.on('message', ([kind]) => kind === END && end());
// As jest ends a worker that has grown too large.
process.once('SIGTERM', end);

/** Node's environment, in which each file of tests finds what its worker shares (`shared.ts`). */
module.exports = class WorkerEnvironment extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    this.global.sharedByWorker = shared;
  }
};
