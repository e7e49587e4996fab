import type { WebhookDeliveryAnswer } from '@app/client/api.types';
import { Alert } from '@mantine/core';
import { isolated } from '../../../shared/format/direction.format';
import { wholeNumber } from '../../../shared/format/number.format';
import { deliveryWords } from './delivery.words';

/** What became of a test: the answer to it, or why none came. */
export function TestResult({ tested: { state, attempts } }: { tested: WebhookDeliveryAnswer }) {
  const t = deliveryWords.use();
  const attempt = attempts.at(-1);
  if (!attempt) return null;
  const { status, error } = attempt;
  const ms = wholeNumber(attempt.ms);
  return (
    <Alert color={state === 'delivered' ? 'teal' : 'red'}>
      {status === null
        ? t('testUnanswered', { ms, error: isolated(error ?? t('noAnswer')) })
        : t(state === 'delivered' ? 'testPassed' : 'testRefused', { ms, status })}
    </Alert>
  );
}
