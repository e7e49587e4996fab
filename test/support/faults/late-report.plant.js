const { Client } = require('pg');
const { expectStatement } = require('./plant.guard');

const NAME = 'scenario-permits-used';
expectStatement('libs/persistence/src/scenarios/run-queue.repository.js', `('${NAME}')`);

const LATE_MS = Number(process.env.PLANTED_LATE_MS ?? 200);

/** Loaded into a server before all else: it is reported late that a run's permit is used. */
const { query } = Client.prototype;
Client.prototype.query = function (given, ...rest) {
  if (given?.name !== NAME) return query.call(this, given, ...rest);
  setTimeout(() => query.call(this, given, ...rest), LATE_MS);
};
