const { WORK_TIMES } = require('../../../dist/libs/domain/src/work/work.times');
const { expectMembers } = require('./plant.guard');

expectMembers(WORK_TIMES, 'number', 'retentionMs');

/** Loaded into a server before all else: what is kept for some time is looked at four times a second. */
Object.assign(WORK_TIMES, { retentionMs: 250 });
