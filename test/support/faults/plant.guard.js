const { readFileSync } = require('node:fs');
const { join } = require('node:path');

const DIST = join(__dirname, '../../../dist');

/**
 * Refuses a plant that has nothing to hold on to any more: a program that loads one ends, and the test with it, instead
 * of passing without its fault.
 * @param what the module of the built product, from `dist`
 * @param texts each must stand there just once
 */
function expectStatement(what, ...texts) {
  const source = readFileSync(join(DIST, what), 'utf8');
  for (const text of texts)
    if (source.split(text).length !== 2) throw new Error(`this plant needs ${text} just once in ${what}`);
}

/** @param kind of each member, as `typeof` says it */
function expectMembers(owner, kind, ...names) {
  for (const name of names)
    if (typeof owner?.[name] !== kind) throw new Error(`this plant needs a ${kind} with the name ${name}`);
}

module.exports = { expectStatement, expectMembers };
