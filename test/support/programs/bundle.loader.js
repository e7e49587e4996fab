// A server's program beside its bundle. V8 takes what it compiled when another server ran, each function that was called then.
const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
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

const { PLANTS } = process.env;
if (PLANTS) {
  // What plants ask for is what the bundle runs.
  const load = Module._load;
  Module._load = (asked, parent, isMain) => {
    const found = exports.modules[Module._resolveFilename(asked, parent, isMain)];
    return found ? found() : load(asked, parent, isMain);
  };
  for (const plant of JSON.parse(PLANTS)) require(plant);
}
exports.start();
