const { readFileSync } = require('node:fs');
const Module = require('node:module');
const { join } = require('node:path');

const DIST = join(__dirname, '../../../dist');

/**
 * Refuses a plant whose target is gone: a program that loads it ends, and the test fails, instead of passing without
 * its fault.
 * @param what the module of the built product, from `dist`
 * @param texts each must occur exactly once
 */
function expectStatement(what, ...texts) {
  const source = readFileSync(join(DIST, what), 'utf8');
  for (const text of texts)
    if (source.split(text).length !== 2) throw new Error(`this plant needs ${text} just once in ${what}`);
}

/** Has a module loaded with another text in the place of one that must occur exactly once. */
function replaceStatement(what, text, other) {
  expectStatement(what, text);
  const file = join(DIST, what);
  const load = Module._extensions['.js'];
  Module._extensions['.js'] = (module, filename) => {
    if (filename !== file) return load(module, filename);
    module._compile(
      readFileSync(file, 'utf8').replace(text, () => other),
      filename,
    );
  };
}

/** @param kind of each member, as `typeof` says it */
function expectMembers(owner, kind, ...names) {
  for (const name of names)
    if (typeof owner?.[name] !== kind) throw new Error(`this plant needs a ${kind} with the name ${name}`);
}

module.exports = { expectStatement, expectMembers, replaceStatement };
