const { Client } = require('pg');
const { expectStatement } = require('./plant.guard');

expectStatement('libs/persistence/src/transfer/import.statements.js', "('import-advance')");

/**
 * Loaded into a server before all else: the process kills itself, as nothing else can, at a boundary of the given chunk that
 * it takes in: `before` or `after` the commit of it.
 */
const ADVANCE = 'import-advance';
const [when, chunk] = process.env.PLANTED_KILL.split(' ');

let chunks = 0;
const die = () => new Promise(() => process.kill(process.pid, 'SIGKILL'));

/** Connections whose transaction takes in the chunk. */
const taking = new WeakSet();
const { query } = Client.prototype;
Client.prototype.query = function (given) {
  if (given?.name === ADVANCE && (chunks += 1) === Number(chunk)) taking.add(this);
  if (given !== 'COMMIT' || !taking.has(this)) return query.apply(this, arguments);
  return when === 'before' ? die() : query.call(this, given).then(die);
};
