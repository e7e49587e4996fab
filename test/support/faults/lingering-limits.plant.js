const { LINGERING_LIMITS } = require('../../../dist/apps/server/src/http/lingering.close');
const { expectMembers } = require('./plant.guard');

expectMembers(LINGERING_LIMITS, 'number', 'milliseconds', 'bytes', 'connections');

/** Loaded into a server before all else: two connections may linger, each for 1 MiB. Time is not what ends them. */
Object.assign(LINGERING_LIMITS, { milliseconds: 60_000, bytes: 1024 * 1024, connections: 2 });
