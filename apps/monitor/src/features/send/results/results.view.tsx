import type { RecipientResult } from '@app/client/api-types';
import { SegmentedControl, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { wholeNumber, readablePhone } from '../../../shared/format/number.format';
import { providerRule } from '../../../shared/messages/provider-rule.format';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import { commonWords } from '../../../shared/words/common.words';
import { errorWords } from '../../../shared/words/error.words';
import classes from '../send.module.css';
import { sendWords } from '../send.words';
import { VirtualRows } from '../recipients/virtual-rows.view';

const STATUS_WORDS = {
  sent: 'statusSent',
  failed: 'statusFailed',
  queued: 'statusQueued',
  unknown: 'statusUnknown',
} as const;

export const statusWord = (status: RecipientResult['status']): string => sendWords.say(STATUS_WORDS[status]);

/** By which rule the provider refused the message; null where only {@link reasonOf} says why it did not arrive. */
export const ruleOf = ({ error, status, provider_code: number = null }: RecipientResult): string | null =>
  error === undefined || status !== 'failed' ? null : providerRule({ code: error, provider_code: number });

/** Why a message did not arrive: by the provider's rule or in the words of the page, then in the provider's. */
export function reasonOf(result: RecipientResult): string {
  const { error, message, status } = result;
  if (error === undefined) return '';
  const ours =
    status === 'unknown'
      ? sendWords.say('unknownReason')
      : (ruleOf(result) ??
        (errorWords.has(error) ? errorWords.say(error) : sendWords.say('duplicateReason')));
  return message === undefined ? ours : `${ours} ${message}`;
}

type Status = RecipientResult['status'];

interface Props {
  results: readonly RecipientResult[];
  counts: Record<Status, number>;
}

const STATUSES = ['sent', 'failed', 'unknown', 'queued'] as const;

/** What became of each message, with the reason where it did not go out. */
export function Results({ results, counts }: Props) {
  const t = sendWords.use();
  const common = commonWords.use();
  const [only, setOnly] = useState<Status | 'all'>('all');
  const shown = only === 'all' ? results : results.filter(({ status }) => status === only);
  const words = {
    ...{
      sent: t('countSent'),
      failed: t('countFailed'),
      unknown: t('countUnknown'),
      queued: t('countQueued'),
    },
  };
  return (
    <Stack gap="xs">
      <SegmentedControl
        className={classes.choice}
        size="xs"
        aria-label={t('showStatus')}
        data={[
          { value: 'all', label: `${common('all')} ${wholeNumber(results.length)}` },
          ...STATUSES.filter((status) => counts[status] > 0).map((status) => ({
            value: status,
            label: `${words[status]} ${wholeNumber(counts[status])}`,
          })),
        ]}
        value={only}
        onChange={(chosen) => setOnly(chosen)}
      />
      <VirtualRows
        label={t('resultTitle')}
        columns={[
          { key: 'phone', title: t('phone'), className: classes.phone },
          { key: 'status', title: t('status'), className: classes.status },
          { key: 'reason', title: t('reason'), className: classes.state },
          { key: 'dialog', title: t('dialog'), className: classes.link },
        ]}
        count={shown.length}
        keyOf={(n) => shown[n]?.id ?? n}
        empty={t('noResults')}
        cells={(n) => {
          const result = shown[n] as RecipientResult;
          const phone = result.phone === null ? t('noPhone') : readablePhone(result.phone);
          return [
            <CustomerText text={phone} isPhone={result.phone !== null} />,
            <span className={result.ok ? undefined : classes.mark}>{statusWord(result.status)}</span>,
            <span title={ruleOf(result) === null ? undefined : result.message}>
              <CustomerText text={ruleOf(result) ?? reasonOf(result)} />
            </span>,
            <Link
              to="/dialogs/$threadId"
              params={{ threadId: result.thread_id }}
              className={classes.anchor}
              aria-label={t('openDialog', { phone })}
            >
              {t('dialog')}
            </Link>,
          ];
        }}
      />
    </Stack>
  );
}
