const { ProviderExchange } = require('../../../dist/libs/integrations/src/http/provider.exchange');
const { expectMembers } = require('./plant.guard');

expectMembers(ProviderExchange.prototype, 'function', 'onRequestStart');

/**
 * Loaded into a server before all else. The process stops itself (SIGSTOP) at the request with this number, when it
 * could be written and nothing of it is. After SIGCONT it continues in the same tick.
 */
const AT = Number(process.env.PLANTED_STOP_AT);
let started = 0;

const { onRequestStart } = ProviderExchange.prototype;
ProviderExchange.prototype.onRequestStart = function (controller) {
  started += 1;
  if (started === AT) process.kill(process.pid, 'SIGSTOP');
  return onRequestStart.call(this, controller);
};
