const { CONNECTION_LIMITS } = require('../../../dist/libs/persistence/src/database/data-source.options');
const { expectMembers } = require('./plant.guard');

expectMembers(CONNECTION_LIMITS, 'number', 'query_timeout');

/** Loaded into a server before all else: it waits for a database that answers nothing four seconds instead of eight. */
Object.assign(CONNECTION_LIMITS, { query_timeout: 4_000 });
