/**
 * Builds the package @leadline/client from libs/client into dist/client-package, and packs it: one file of JavaScript with
 * all but socket.io-client in it, and declarations in which nothing of this repository's own names is left.
 * With `--out <folder>` it builds into `<folder>/client-package`.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import ts from 'typescript';

const ENTRY = 'libs/client/src/index.ts';
/** Whose code is in the package's file. */
const BUNDLED = ['openapi-fetch'];
const EXTERNAL = 'socket.io-client';
/** What Node 20 and the browsers of 2023 have. */
const [TARGET, LIBRARY] = ['es2022', ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts']];
const ALIASES = { '@app/client/': 'libs/client/src/', '@app/contracts/': 'libs/contracts/src/' };

const jsonOf = (path) => JSON.parse(readFileSync(path, 'utf8'));
const [, , option, given] = process.argv;
if (option !== undefined && (option !== '--out' || given === undefined))
  throw new Error(`${option} is no option: --out <folder>`);
const out = join(given ?? 'dist', 'client-package');

/** `libs/contracts/src/error-codes.ts` is `types/contracts/error-codes.d.ts`. */
const declarationOf = (source) =>
  source.replace(/^libs\/(\w+)\/src\//, 'types/$1/').replace(/\.ts$/, '.d.ts');

/** The declarations of all sources that the entry needs, by where they go. */
function declarations() {
  const written = new Map();
  const program = ts.createProgram([ENTRY], {
    ...{ strict: true, noUncheckedIndexedAccess: true, declaration: true, emitDeclarationOnly: true },
    ...{ target: ts.ScriptTarget.ES2022, lib: LIBRARY, types: [], skipLibCheck: true },
    ...{ module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler },
    paths: Object.fromEntries(
      Object.entries(ALIASES).map(([alias, folder]) => [`${alias}*`, [`./${folder}*`]]),
    ),
  });
  const { diagnostics } = program.emit(undefined, (_path, text, _mark, _error, [source]) =>
    written.set(declarationOf(relative('.', source.fileName)), text),
  );
  const faults = [...ts.getPreEmitDiagnostics(program), ...diagnostics];
  if (faults.length > 0) {
    const host = {
      getCanonicalFileName: (name) => name,
      getCurrentDirectory: () => process.cwd(),
      getNewLine: () => '\n',
    };
    throw new Error(ts.formatDiagnostics(faults, host));
  }
  return written;
}

/** Where a declaration finds another one, in the form that Node asks for. */
function resolved(specifier, from) {
  const alias = Object.keys(ALIASES).find((each) => specifier.startsWith(each));
  if (!alias && !specifier.startsWith('.')) return specifier;
  const file = alias
    ? declarationOf(`${specifier.replace(alias, ALIASES[alias])}.ts`)
    : `${posix.join(dirname(from), specifier)}.d.ts`;
  return `./${posix.relative(dirname(from), file)}`.replace('./../', '../').replace(/\.d\.ts$/, '.js');
}

/** Writes the declaration and those that it names. */
function writeDeclaration(path, all, done) {
  if (done.has(path)) return;
  done.add(path);
  const text = all.get(path);
  if (text === undefined) throw new Error(`${path} is named by a declaration, and there is none`);
  const { importedFiles } = ts.preProcessFile(text);
  let rewritten = text;
  for (const { fileName, pos } of importedFiles.toReversed()) {
    const specifier = resolved(fileName, path);
    // Behind the quotation mark.
    rewritten = rewritten.slice(0, pos + 1) + specifier + rewritten.slice(pos + 1 + fileName.length);
    if (!specifier.startsWith('.')) continue;
    writeDeclaration(posix.join(dirname(path), specifier).replace(/\.js$/, '.d.ts'), all, done);
  }
  mkdirSync(join(out, dirname(path)), { recursive: true });
  writeFileSync(join(out, path), rewritten);
}

async function writeScript() {
  const bundle = await rolldown({
    input: ENTRY,
    platform: 'neutral',
    external: [EXTERNAL],
    resolve: {
      conditionNames: ['import'],
      alias: Object.fromEntries(
        Object.entries(ALIASES).map(([alias, folder]) => [alias.slice(0, -1), resolve(folder)]),
      ),
    },
    transform: { target: TARGET },
  });
  const { output } = await bundle.write({ file: join(out, 'index.js'), format: 'esm' });
  await bundle.close();
  const packages = output[0].moduleIds
    .map((id) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1])
    .filter((name) => name !== undefined);
  const unknown = packages.filter((name) => !BUNDLED.includes(name));
  if (unknown.length > 0) throw new Error(`${unknown.join(', ')} is bundled, and its licence is not kept`);
}

const licenceOf = (name) => {
  const { version } = jsonOf(`node_modules/${name}/package.json`);
  return `${name} ${version}\n\n${readFileSync(`node_modules/${name}/LICENSE`, 'utf8').trim()}\n`;
};

function writeManifest() {
  const { version, license, dependencies } = jsonOf('package.json');
  const manifest = {
    ...{ name: '@leadline/client', version, license },
    description: 'Typed client of Leadline: every operation, and live boards',
    keywords: ['leadline', 'whatsapp', 'leads', 'openapi'],
    ...{ type: 'module', sideEffects: false, engines: { node: '>=20' } },
    exports: { '.': { types: './types/client/index.d.ts', default: './index.js' } },
    files: ['index.js', 'types', 'THIRD-PARTY-LICENSES'],
    dependencies: { [EXTERNAL]: `^${dependencies[EXTERNAL]}` },
  };
  writeFileSync(join(out, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
await writeScript();
writeDeclaration(declarationOf(ENTRY), declarations(), new Set());
writeManifest();
cpSync('LICENSE', join(out, 'LICENSE'));
cpSync('libs/client/README.md', join(out, 'README.md'));
writeFileSync(join(out, 'THIRD-PARTY-LICENSES'), BUNDLED.map(licenceOf).join('\n'));
const packed = execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', '..'], {
  cwd: out,
  encoding: 'utf8',
});
console.log(join(dirname(out), packed.trim()));
