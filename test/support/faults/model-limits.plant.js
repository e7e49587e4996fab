const { MODEL_LIMITS } = require('../../../dist/libs/integrations/src/model/model.limits');
const { expectMembers } = require('./plant.guard');

expectMembers(MODEL_LIMITS, 'number', 'silenceMs', 'wholeMs');

/** Loaded into a server before all else: its limits of time on a model are seconds instead of minutes. */
Object.assign(MODEL_LIMITS, { silenceMs: 3_000, wholeMs: 5_000 });
