import { ApiError } from '@app/client/api.errors';
import { Alert, Text } from '@mantine/core';
import { wholeNumber } from '../../../shared/format/number.format';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import { commonWords } from '../../../shared/words/common.words';
import { explain } from '../../../shared/words/error.words';
import { sendWords } from '../send.words';
import { isUnderWay, type Sending } from '../results/sending.store';

interface Props {
  sending: Sending | null;
  total: number;
  handedOver: number;
}

/** What holds a list up, and what of it was not sent. */
export function SendingNotes({ sending, total, handedOver }: Props) {
  const t = sendWords.use();
  if (!sending)
    return handedOver > 0 && handedOver < total ? (
      <Alert color="orange">
        {t('interrupted', { count: wholeNumber(total - handedOver), total: wholeNumber(total) })}
      </Alert>
    ) : null;
  const { state, trouble, unanswered } = sending;
  const unsent = total - handedOver - unanswered;
  if (isUnderWay(sending))
    return trouble === null ? null : (
      <Alert color="orange" role="alert">
        {t('waiting', { reason: explain(trouble) })}
      </Alert>
    );
  if (state === 'done') return null;
  return (
    <Alert color={state === 'refused' ? 'red' : 'orange'} role="alert">
      {unsent > 0 && (
        <Text size="md">{t(state === 'refused' ? 'refused' : 'stopped', { count: unsent })}</Text>
      )}
      {unanswered > 0 && <Text size="md">{t('unanswered', { count: unanswered })}</Text>}
      {trouble !== null && <Refusal error={trouble} />}
    </Alert>
  );
}

function Refusal({ error }: { error: unknown }) {
  const common = commonWords.use();
  const text = explain(error);
  if (!(error instanceof ApiError)) return <Text size="sm">{text}</Text>;
  return (
    <>
      <Text size="sm">{text}</Text>
      {error.message !== text && (
        <Text size="sm">
          <CustomerText text={error.message} />
        </Text>
      )}
      {error.requestId !== '' && <Text size="xs">{common('requestId', { id: error.requestId })}</Text>}
    </>
  );
}
