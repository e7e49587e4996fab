const { ProviderExchange } = require('../../../dist/libs/integrations/src/http/provider.exchange');
const { expectMembers } = require('./plant.guard');

expectMembers(ProviderExchange.prototype, 'function', 'onRequestStart');

/**
 * Loaded into a server before all else: the process stops itself (SIGSTOP) when a request could be written and nothing of
 * it is yet, at the request with this number. After SIGCONT it goes on in the same tick.
 */
const AT = Number(process.env.PLANTED_STOP_AT);
let started = 0;

const { onRequestStart } = ProviderExchange.prototype;
ProviderExchange.prototype.onRequestStart = function (controller) {
  started += 1;
  if (started === AT) process.kill(process.pid, 'SIGSTOP');
  return onRequestStart.call(this, controller);
};
