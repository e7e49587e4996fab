const { READER_LIMITS } = require('../../../dist/apps/server/src/http/reader.limits');
const { expectMembers } = require('./plant.guard');

expectMembers(READER_LIMITS, 'number', 'silenceMs', 'bytesPerSecondMin');

/** Loaded into a server before all else: who reads a file or an export has six seconds, and must take 16 MiB in each further one. */
Object.assign(READER_LIMITS, { silenceMs: 6_000, bytesPerSecondMin: 16 * 1024 * 1024 });
