const { WORK_TIMES } = require('../../../dist/libs/domain/src/work/work.times');
const { expectMembers } = require('./plant.guard');

expectMembers(WORK_TIMES, 'number', 'leaseMs', 'sweepMs', 'claimGraceMs');

/**
 * Loaded into a server before all else: what a process has claimed is free after less than a third of the usual time,
 * and found in a quarter of a second. A lease is still renewed about once a second.
 */
Object.assign(WORK_TIMES, { leaseMs: 3_000, sweepMs: 250, claimGraceMs: 2_000 });
