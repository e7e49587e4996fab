import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { wholeNumber } from '../../../shared/format/number.format';
import { dayName } from '../../../shared/format/time.format';
import { useIsAdmin, useSignedIn } from '../../../shared/session/session.store';
import { ErrorState } from '../../../shared/ui/states.view';
import classes from '../send.module.css';
import { quotaQuery } from '../send.query';
import { sendWords } from '../send.words';

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
