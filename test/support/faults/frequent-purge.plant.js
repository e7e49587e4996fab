const { WORK_TIMES } = require('../../../dist/libs/domain/src/work/work.times');
const { expectMembers } = require('./plant.guard');

expectMembers(WORK_TIMES, 'number', 'retentionMs');

/** Loaded into a server before all else: what has expired is deleted twice a second, not once in five minutes. */
Object.assign(WORK_TIMES, { retentionMs: 500 });
