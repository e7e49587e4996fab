import type { WebhookDeliveryAnswer } from '@app/client/api.types';
import { Alert } from '@mantine/core';
import { wholeNumber } from '../../../shared/format/number.format';
import { FaultOfAttempt } from './attempt-fault.view';
import { deliveryWords } from './delivery.words';

/** What became of a test: the answer to it, or why none came. */
export function TestResult({ tested: { state, attempts } }: { tested: WebhookDeliveryAnswer }) {
  const t = deliveryWords.use();
  const attempt = attempts.at(-1);
  if (!attempt) return null;
  const { status } = attempt;
  const ms = wholeNumber(attempt.ms);
  const unanswered = (
    <>
      {t('testUnanswered', { ms })} <FaultOfAttempt attempt={attempt} />
    </>
  );
  return (
    <Alert color={state === 'delivered' ? 'teal' : 'red'}>
      {status === null ? unanswered : t(state === 'delivered' ? 'testPassed' : 'testRefused', { ms, status })}
    </Alert>
  );
}
