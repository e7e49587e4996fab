/**
 * The built command line, for one list of words after another: a process for each takes ten times as long. Hears of each
 * by a message, with its environment, and answers with what it printed and how it ended.
 */
const { run } = require('../../../dist/apps/cli/src/cli-program');

const OURS = /^LEADLINE_/;
const STREAMS = ['stdout', 'stderr'];

let printed;
// Each run listens anew, as it is one process elsewhere.
process.setMaxListeners(0);
for (const name of STREAMS) {
  process[name].setMaxListeners(0);
  process[name].write = (chunk, ...rest) => {
    printed[name] += Buffer.from(chunk).toString();
    rest.find((each) => typeof each === 'function')?.();
    return true;
  };
}

process.on('message', async ({ words, environment }) => {
  printed = { stdout: '', stderr: '' };
  for (const name of Object.keys(process.env)) if (OURS.test(name)) delete process.env[name];
  Object.assign(process.env, environment);
  const code = await run(words);
  process.send({ code, ...printed });
});
