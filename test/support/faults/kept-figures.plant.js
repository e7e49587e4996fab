const { KEEPING } = require('../../../dist/libs/persistence/src/figures/figure-range.repository');
const { WORK_TIMES } = require('../../../dist/libs/domain/src/work/work.times');
const { expectMembers } = require('./plant.guard');

expectMembers(KEEPING, 'number', 'rowsMost');
expectMembers(WORK_TIMES, 'number', 'figuresMs');

/** Loaded into a server before all else: what is counted is kept of short histories, too, and within moments. */
KEEPING.rowsMost = -1;
WORK_TIMES.figuresMs = 250;
