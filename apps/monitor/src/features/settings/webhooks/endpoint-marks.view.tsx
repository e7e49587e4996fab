import type { WebhookEndpointAnswer } from '@app/client/api.types';
import { wholeNumber } from '../../../shared/format/number.format';
import { dateAndTime } from '../../../shared/format/time.format';
import { Mark } from '../parts/mark.view';
import { endpointWords } from './endpoint.words';

/** The service counts no further. */
const PENDING_COUNTED = 1_000;

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
            pending >= PENDING_COUNTED
              ? t('pendingMany', { count: wholeNumber(pending) })
              : t('pending', { count: pending })
          }
        />
      )}
    </>
  );
}

/** When something was delivered there last. */
export const succeededInWords = ({ last_success_at: at }: WebhookEndpointAnswer): string =>
  at === null ? endpointWords.say('neverSucceeded') : endpointWords.say('succeeded', { at: dateAndTime(at) });
