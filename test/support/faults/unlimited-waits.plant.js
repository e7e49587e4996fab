const { InFlightLimiter } = require('../../../dist/libs/contracts/src/in-flight.limiter');
const { CONNECTIONS } = require('../../../dist/libs/persistence/src/database/connection.budget');
const { CONNECTION_LIMITS } = require('../../../dist/libs/persistence/src/database/data-source.options');
const { expectMembers } = require('./plant.guard');

expectMembers(CONNECTION_LIMITS, 'number', 'statement_timeout', 'lock_timeout', 'query_timeout');
expectMembers(CONNECTIONS, 'number', 'default');
expectMembers(InFlightLimiter.prototype, 'function', 'mayEnter');

/**
 * Loaded into a server before all else: any number of an account's calls may be under way, and each waits for a lock for
 * as long as a test holds it.
 */
Object.assign(CONNECTION_LIMITS, {
  statement_timeout: 120_000,
  lock_timeout: 120_000,
  query_timeout: 120_000,
});
CONNECTIONS.default += 20;
InFlightLimiter.prototype.mayEnter = () => true;
