// A server's program beside its bundle. V8 takes what it compiled when another server ran, each function that was called then.
const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { Script } = require('node:vm');

const file = join(__dirname, 'bundle.js');
const compiled = join(__dirname, 'bundle.compiled');

const script = new Script(readFileSync(join(__dirname, 'bundle.text'), 'utf16le'), {
  filename: file,
  cachedData: existsSync(compiled) ? readFileSync(compiled) : undefined,
  importModuleDynamically: (name) => import(name),
});
if (process.env.KEEP_COMPILED) process.once('exit', () => writeFileSync(compiled, script.createCachedData()));
script.runInThisContext()(exports, require, module, file, __dirname);

exports[process.env.FAULTS ? 'startFaulty' : 'start']();
