import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { isolated } from '../../../shared/format/direction.format';
import { wholeNumber } from '../../../shared/format/number.format';
import { dayName } from '../../../shared/format/time.format';
import { useIsAdmin, useSignedIn } from '../../../shared/session/session.store';
import { ErrorState } from '../../../shared/ui/states.view';
import { commonWords } from '../../../shared/words/common.words';
import { faultyRowsCsv } from '../recipients/check.view';
import classes from '../send.module.css';
import { quotaQuery } from '../send.query';
import { useComposed } from './composed.store';
import { leftOutOf, leftOutWords, type MarkedRow, type ReadyRow } from '../recipients/marked-rows';
import { isDialog } from '../recipients/recipient-check';
import { sendWords } from '../send.words';
import type { Sender, SentTemplate } from '../send-types';
import { startSending } from '../results/sending.store';
import { recipientOf, type Slot } from '../../../shared/template/slot.rules';

/** How many recipients are left in this month; null: no limit, or not known to this person. */
export function useQuotaLeft(): number | null {
  const { account } = useSignedIn();
  const { data } = useQuery(quotaQuery(account.id, useIsAdmin()));
  if (!data || data.monthly_message_quota === null) return null;
  return Math.max(0, data.monthly_message_quota - data.quota_used);
}

/** The quota before and after a list. */
export function Quota({ count }: { count: number }) {
  const t = sendWords.use();
  const { account } = useSignedIn();
  const isAdmin = useIsAdmin();
  const quota = useQuery(quotaQuery(account.id, isAdmin));
  const left = useQuotaLeft();
  if (!isAdmin)
    return (
      <Text size="sm" c="dimmed">
        {t('quotaOperator')}
      </Text>
    );
  if (quota.isError) return <ErrorState error={quota.error} onRetry={() => void quota.refetch()} />;
  if (!quota.data) return null;
  if (left === null)
    return (
      <Text size="sm" c="dimmed">
        {t('quotaNone')}
      </Text>
    );
  return (
    <Stack gap={4}>
      <dl className={classes.figures}>
        <dt>{t('quotaLeft')}</dt>
        <dd data-quota-left>{wholeNumber(left)}</dd>
        <dt>{t('quotaAfter')}</dt>
        <dd data-quota-after>{wholeNumber(Math.max(0, left - count))}</dd>
      </dl>
      {count > left && (
        <Text size="sm" c="var(--ll-danger)" role="alert">
          {t('quotaOver', { count: wholeNumber(count - left) })}
        </Text>
      )}
      <Text size="sm" c="dimmed">
        {t('quotaReset', { date: dayName(quota.data.quota_reset_at) })}
      </Text>
    </Stack>
  );
}

interface Props {
  isOpen: boolean;
  onClose: () => void;
  sender: Sender;
  assistantId: string;
  template: SentTemplate;
  slots: readonly Slot[];
  rows: readonly MarkedRow[];
  ready: readonly ReadyRow[];
}

/** Says once more to how many it goes. Then it does. */
export function ConfirmSending({
  isOpen,
  onClose,
  sender,
  assistantId,
  template,
  slots,
  rows,
  ready,
}: Props) {
  const t = sendWords.use();
  const common = commonWords.use();
  const count = ready.length;
  const { mode, file, leavesDuplicates: duplicates, leavesOptedOut: optedOut } = useComposed();
  const leftOut = leftOutOf(isOpen ? rows : [], { duplicates, optedOut });
  const words = leftOutWords(leftOut);
  const named = ready.filter(({ name }) => name !== null).length;
  const send = (): void => {
    onClose();
    const order = {
      ...sender,
      assistantId,
      templateId: template.template_id,
      language: template.language,
      recipients: ready.map(({ to, values }) =>
        recipientOf(template, slots, isDialog(to) ? { thread_id: to } : { phone: to }, values),
      ),
      leavesDuplicates: duplicates,
      names: new Map(ready.flatMap(({ to, name }) => (name === null ? [] : [[to, name] as const]))),
    };
    const canBeMended = mode === 'csv' && file !== null && leftOut.faults.length > 0;
    void startSending(order, {
      words: () => leftOutWords(leftOut),
      faulty: canBeMended ? () => faultyRowsCsv(file, leftOut.faults) : null,
    });
  };
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={t('confirmTitle', { template: isolated(template.template_id), count })}
    >
      <Stack gap="sm">
        <Text size="sm">{t('confirmText')}</Text>
        {named > 0 && <Text size="sm">{t('confirmNames', { count: named })}</Text>}
        {words.length > 0 && <Text size="sm">{t('leftOut', { what: words.join(', ') })}</Text>}
        <Quota count={count} />
        <Group className="ll-answers" justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {common('cancel')}
          </Button>
          <Button onClick={send} data-autofocus>
            {t('sendTo', { count })}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
