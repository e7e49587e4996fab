import type { WebhookEndpointAnswer } from '@app/client/api-types';
import { ENDPOINT_LIMITS } from '@app/contracts/webhook.words';
import { wholeNumber } from '../../../shared/format/number.format';
import { Mark } from '../parts/mark.view';
import { endpointWords } from './endpoint.words';

/** What is not as usual with an endpoint: it is disabled, attempts fail, deliveries wait. */
export function EndpointMarks({ endpoint }: { endpoint: WebhookEndpointAnswer }) {
  const t = endpointWords.use();
  const { disabled, failures_in_a_row: failures, pending } = endpoint;
  return (
    <>
      {disabled && <Mark tone="bad" text={t('disabled')} />}
      {failures > 0 && <Mark tone="bad" text={t('failures', { count: failures })} />}
      {pending > 0 && (
        <Mark
          tone={failures > 0 ? 'waiting' : 'plain'}
          text={
            pending >= ENDPOINT_LIMITS.pendingCounted
              ? t('pendingMany', { count: wholeNumber(pending) })
              : t('pending', { count: pending })
          }
        />
      )}
    </>
  );
}
