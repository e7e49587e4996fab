const { MODEL_LIMITS } = require('../../../dist/libs/integrations/src/model/model.limits');
const { expectMembers } = require('./plant.guard');

expectMembers(MODEL_LIMITS, 'number', 'silenceMs', 'wholeMs');

/** Loaded into a server before all else: its limits of time on a model are two seconds at most. */
Object.assign(MODEL_LIMITS, { silenceMs: 1_000, wholeMs: 2_000 });
