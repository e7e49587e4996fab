const { CONNECTION_LIMITS } = require('../../../dist/libs/persistence/src/database/data-source.options');
const { expectMembers } = require('./plant.guard');

expectMembers(CONNECTION_LIMITS, 'number', 'statement_timeout');

/** Loaded into a server before all else: a statement may take one second, so that much for one is a fifth of it. */
CONNECTION_LIMITS.statement_timeout = 1_000;
