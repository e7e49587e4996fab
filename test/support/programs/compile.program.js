/**
 * Compiles programs of a folder, and prints as JSON what is wrong in them and in the declarations of the packages that they
 * use: by each of the two ways of finding packages. As Node.js does it, it also writes them as JavaScript.
 * A program of its own, because the compiler is several times slower within a test.
 */
const { join } = require('node:path');
const ts = require('typescript');

const [folder, ...files] = process.argv.slice(2);
const { ModuleKind, ModuleResolutionKind } = ts;

const WAYS = {
  nodenext: { module: ModuleKind.NodeNext, moduleResolution: ModuleResolutionKind.NodeNext },
  bundler: { module: ModuleKind.ESNext, moduleResolution: ModuleResolutionKind.Bundler, noEmit: true },
};

function faultsOf(way) {
  const program = ts.createProgram(
    files.map((file) => join(folder, file)),
    {
      ...{ strict: true, noUncheckedIndexedAccess: true, rewriteRelativeImportExtensions: true },
      ...{ types: ['node'], typeRoots: [join(folder, 'node_modules/@types')] },
      ...{ target: ts.ScriptTarget.ES2022, lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'] },
      ...way,
    },
  );
  program.emit();
  // Those of others would take four fifths of the time.
  const own = program
    .getSourceFiles()
    .filter(({ fileName }) => fileName.startsWith(folder) && !fileName.includes('/@types/'));
  const faults = own.flatMap((file) => [
    ...program.getSyntacticDiagnostics(file),
    ...program.getSemanticDiagnostics(file),
  ]);
  return [...program.getOptionsDiagnostics(), ...faults].map(({ file, messageText }) => {
    const place = file === undefined ? '' : file.fileName.slice(folder.length + 1);
    return `${place}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
  });
}

process.stdout.write(
  JSON.stringify(Object.fromEntries(Object.entries(WAYS).map(([name, way]) => [name, faultsOf(way)]))),
);
