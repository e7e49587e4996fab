const { execFile } = require('node:child_process');
const { mkdirSync, symlinkSync, writeFileSync } = require('node:fs');
const { builtinModules } = require('node:module');
const { join } = require('node:path');
const { promisify } = require('node:util');

const ROOT = join(__dirname, '../../..');
const SERVER = join(ROOT, 'dist/apps/server/src');

/** What a server loads at its start, and at the first use. */
const LOADED = [
  ...['bootstrap', 'process'].map((part) => join(SERVER, `server.${part}.js`)),
  join(ROOT, 'dist/libs/config/src/settings.config.js'),
  ...['@ai-sdk/openai-compatible', '@nestjs/swagger', 'ai'].map((name) => require.resolve(name)),
];

/** Packages that find native code beside their files. */
const NATIVE = /^(@node-rs\/argon2|sharp)(\/|$)/;

const requireOf = (file) => `require(${JSON.stringify(file)});\n`;

/**
 * A server's start is mostly the reading of its modules. One process compiles them for all servers: Node keeps what it
 * compiled when it ends by itself, and most servers of tests are killed.
 */
const load = (...words) => promisify(execFile)(process.execPath, ['--preserve-symlinks', ...words]);

exports.compileServer = () => load('-e', LOADED.map(requireOf).join(''));

/**
 * The built service in ten files instead of 2,500: a start takes 0.65 s of the processor instead of 0.95, and a run has
 * hundreds of starts.
 * @param folder where it is put
 * @returns what to start
 */
exports.bundleServer = async (folder) => {
  const { rolldown } = await import('rolldown');
  const product = join(folder, 'product');
  mkdirSync(product);
  // What the service looks for above its own files.
  for (const name of ['package.json', 'node_modules', 'dist'])
    symlinkSync(join(ROOT, name), join(product, name));
  const loaded = join(folder, 'loaded.js');
  writeFileSync(loaded, LOADED.map(requireOf).join(''));
  const bundle = await rolldown({
    input: { main: join(SERVER, 'main.js'), loaded },
    platform: 'node',
    external: (name) => builtinModules.includes(name.replace(/^node:/, '')) || NATIVE.test(name),
    // Packages look for others that are not installed.
    logLevel: 'silent',
    treeshake: false,
  });
  await bundle.write({
    dir: join(product, 'server'),
    format: 'cjs',
    entryFileNames: '[name].js',
    // No statement is left out or changed: a call that only throws would be taken for one that does nothing.
    minify: { compress: false, mangle: false, codegen: true },
  });
  await bundle.close();
  await load(join(product, 'server/loaded.js'));
  return join(product, 'server/main.js');
};
