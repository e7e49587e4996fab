import type { DeliveryAttemptAnswer } from '@app/client/api-types';
import type { AttemptFault } from '@app/contracts/webhook.words';
import { CustomerText } from '../../../../shared/ui/customer-text.view';
import { deliveryWords } from './delivery.words';

const wordOf = (reason: AttemptFault): `fault_${AttemptFault}` => `fault_${reason}`;

/** What went wrong with an attempt; in the server's words where the page has none, or only a general one. */
export function FaultOfAttempt({ attempt: { error, reason } }: { attempt: DeliveryAttemptAnswer }) {
  const t = deliveryWords.use();
  const word = reason && wordOf(reason);
  const isKnown = word !== null && deliveryWords.has(word);
  return (
    <>
      {isKnown && t(word)}
      {error !== null && (!isKnown || reason === 'connection') && (
        <>
          {isKnown && ' '}
          <CustomerText text={error} lang="en" />
        </>
      )}
    </>
  );
}
