import { ProviderExchange } from '@app/integrations/http/provider-exchange';
import { override } from './fault.injection';

/**
 * The process stops itself (SIGSTOP) at the request to a provider with this number, when it could be written and nothing of
 * it is. After SIGCONT it continues in the same tick.
 */
export function inject({ at }: { at: number }): void {
  let started = 0;
  override(
    ProviderExchange.prototype,
    'onRequestStart',
    (own) =>
      function (this: ProviderExchange, controller) {
        started += 1;
        if (started === at) process.kill(process.pid, 'SIGSTOP');
        return own.call(this, controller);
      },
  );
}
