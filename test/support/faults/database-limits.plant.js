const { CONNECTION_LIMITS } = require('../../../dist/libs/persistence/src/database/data-source.options');
const { NOTIFICATION_LIMITS } = require('../../../dist/libs/persistence/src/work/notifications.connection');
const { expectMembers } = require('./plant.guard');

expectMembers(CONNECTION_LIMITS, 'number', 'query_timeout');
expectMembers(NOTIFICATION_LIMITS, 'number', 'pingMs');

/** Loaded into a server before all else: a database that does not answer is given up in seconds, as a listener's is. */
CONNECTION_LIMITS.query_timeout = 2_000;
NOTIFICATION_LIMITS.pingMs = 1_000;
