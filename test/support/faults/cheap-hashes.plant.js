const { HASH_COST } = require('../../../dist/libs/domain/src/accounts/password.hasher');
const { expectMembers } = require('./plant.guard');

expectMembers(HASH_COST, 'number', 'memoryCost', 'timeCost');

/** Loaded into a server before all else: a password's hash takes next to nothing, for tests that make hundreds. */
Object.assign(HASH_COST, { memoryCost: 8, timeCost: 1 });
