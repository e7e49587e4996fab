const { DOWNLOAD_TIMES } = require('../../../dist/libs/domain/src/media/media-download.port');
const { expectMembers } = require('./plant.guard');

expectMembers(DOWNLOAD_TIMES, 'number', 'silenceMs', 'wholeMs');

/** Loaded into a server before all else: a customer's file has six seconds, of which one may pass without a byte. */
Object.assign(DOWNLOAD_TIMES, { silenceMs: 1_000, wholeMs: 6_000 });
