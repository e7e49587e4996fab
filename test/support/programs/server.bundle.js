const { execFile } = require('node:child_process');
const {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} = require('node:fs');
const { builtinModules } = require('node:module');
const { join } = require('node:path');
const { promisify } = require('node:util');

const { transformFile } = require('@swc/core');

const ROOT = join(__dirname, '../../..');
const SERVER = join(ROOT, 'dist/apps/server/src');
const FAULTS = 'test/support/faults';

/** What a server loads at its start, and at the first use. */
const LOADED = [
  ...['bootstrap', 'process'].map((part) => join(SERVER, `server-${part}.js`)),
  join(ROOT, 'dist/libs/config/src/settings-config.js'),
  ...['@ai-sdk/openai-compatible', '@nestjs/swagger', 'ai'].map((name) => require.resolve(name)),
];

/** Packages that find native code beside their files. */
const NATIVE = /^(@node-rs\/argon2|sharp)(\/|$)/;

const requireOf = (file) => `require(${JSON.stringify(file)});\n`;

/**
 * A server's start is mostly the reading of its modules. One process compiles them for all that start from the build: Node
 * keeps what it compiled when it ends by itself, and most servers of tests are killed.
 */
exports.compileServer = () =>
  promisify(execFile)(process.execPath, ['--preserve-symlinks', '-e', LOADED.map(requireOf).join('')]);

/** Compiles the server with faults (`faulty.server.ts`) as the product is compiled, beside it. */
exports.compileFaultyServer = async () => {
  const { jsc, ...rest } = JSON.parse(readFileSync(join(ROOT, '.swcrc'), 'utf8'));
  const options = { ...rest, jsc: { ...jsc, baseUrl: ROOT }, swcrc: false };
  const to = join(ROOT, 'dist', FAULTS);
  mkdirSync(to, { recursive: true });
  const files = readdirSync(join(ROOT, FAULTS)).filter((name) => /^fault|\.fault\.ts$/.test(name));
  await Promise.all(
    files.map(async (name) => {
      const { code } = await transformFile(join(ROOT, FAULTS, name), options);
      const file = join(to, name.replace(/ts$/, 'js'));
      // Another run may load it meanwhile.
      writeFileSync(`${file}-${process.pid}`, code);
      renameSync(`${file}-${process.pid}`, file);
    }),
  );
};

/** It asks for typeorm where no bundler sees it: the whole package would be read a second time. */
const typeormOnce = {
  name: 'typeorm-once',
  transform: {
    filter: { id: /@nestjs\/typeorm\/dist\/common\/typeorm-compat\.js$/ },
    handler: (code) => {
      const asked = 'const require = createRequire(import.meta.url);';
      if (!code.includes(asked)) throw new Error(`@nestjs/typeorm does not say any more: ${asked}`);
      return code
        .replace("import { createRequire } from 'node:module';", "import * as typeorm from 'typeorm';")
        .replace(asked, 'const require = () => typeorm;');
    },
  },
};

const ENTRY = 'the-entry-of-the-bundle';

/** What the bundle begins with: the server, or the one with faults. */
const entry = {
  name: 'entry',
  resolveId: (id) => (id === ENTRY ? id : null),
  load: (id) =>
    id === ENTRY
      ? `exports.start = () => ${requireOf(join(SERVER, 'main.js'))}
         exports.startFaulty = () => ${requireOf(join(ROOT, 'dist', FAULTS, 'faulty.server.js'))}`
      : null,
};

/**
 * The built service in one file instead of 2,500, and what V8 compiles of it: a start takes 0.5 s of the processor instead
 * of 0.95, and a run has hundreds of starts. A server that runs from then on until SIGTERM, with `KEEP_COMPILED`, keeps
 * that for all others.
 * @param folder where it is put
 * @returns what to start
 */
exports.bundleServer = async (folder) => {
  const { rolldown } = await import('rolldown');
  const product = join(folder, 'product');
  const program = join(product, 'server');
  mkdirSync(program, { recursive: true });
  // What the service looks for above its own files.
  for (const name of ['package.json', 'node_modules', 'dist'])
    symlinkSync(join(ROOT, name), join(product, name));
  const bundle = await rolldown({
    input: ENTRY,
    platform: 'node',
    external: (name) => builtinModules.includes(name.replace(/^node:/, '')) || NATIVE.test(name),
    // Packages look for others that are not installed.
    logLevel: 'silent',
    treeshake: false,
    plugins: [entry, typeormOnce],
  });
  const { output } = await bundle.generate({
    format: 'cjs',
    codeSplitting: false,
    // No statement is left out or changed: a call that only throws would be taken for one that does nothing.
    minify: { compress: false, mangle: false, codegen: true },
  });
  await bundle.close();
  const [{ code }] = output;
  const text = `(function (exports, require, module, __filename, __dirname) {${code}\n})`;
  // As V8 has it in memory: nothing is decoded at a start.
  writeFileSync(join(program, 'bundle.text'), text, 'utf16le');
  copyFileSync(join(__dirname, 'bundle.loader.js'), join(program, 'main.js'));
  return join(program, 'main.js');
};
