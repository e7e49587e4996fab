const { SERVING_LIMITS } = require('../../../dist/libs/domain/src/webhooks-out/webhooks-out.worker');
const { RETRY_TIMES } = require('../../../dist/libs/domain/src/webhooks-out/retry.schedule');
const { IntegrationsModule } = require('../../../dist/libs/integrations/src/integrations.module');
const { SENDING_TIMES } = require('../../../dist/libs/integrations/src/webhooks-out/guarded-webhook.sender');
const { expectMembers } = require('./plant.guard');

expectMembers(RETRY_TIMES, 'object', 'retriesMs');
expectMembers(RETRY_TIMES, 'number', 'probeMs', 'probeLongestMs');
expectMembers(SERVING_LIMITS, 'number', 'endpoints', 'turnMs');
expectMembers(SENDING_TIMES, 'number', 'answerWithinMs');
expectMembers(IntegrationsModule, 'function', 'forSettings');

/**
 * Loaded into a server before all else: addresses of this machine are called, as in the demo, and events that failed are sent
 * again after a fraction of the usual times, or after those of PLANTED_RETRIES_MS. An answer is awaited for a second. With
 * PLANTED_ENDPOINTS so many are served at once, with short turns.
 */
const { forSettings } = IntegrationsModule;
IntegrationsModule.forSettings = (settings) =>
  forSettings.call(IntegrationsModule, { ...settings, toolsReachThisMachine: true });

const given = process.env.PLANTED_RETRIES_MS?.split(',').map(Number);
RETRY_TIMES.retriesMs = given ?? RETRY_TIMES.retriesMs.map((_, index) => 100 * 2 ** Math.min(index, 4));
Object.assign(RETRY_TIMES, { probeMs: 50, probeLongestMs: 400 });
SENDING_TIMES.answerWithinMs = 1_000;
const places = process.env.PLANTED_ENDPOINTS;
if (places) Object.assign(SERVING_LIMITS, { endpoints: Number(places), turnMs: 200 });
