import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { ApiError } from '@app/client/api.errors';
import { queryClient } from '../../../shared/api/page-api';
import { useSignedIn } from '../../../shared/session/session.store';
import { ErrorState } from '../../../shared/ui/states.view';
import { DetailHead } from '../parts/lists/list-detail.view';
import { FoundCustomer, findCustomer, readAsked, type FoundThread } from './found-customer.view';
import { userWords } from './user.words';
import { accountQuery } from './users.query';

/** Hands out and erases what is kept of a customer, who is asked for by phone or by the link to a dialog. */
export function CustomerRights() {
  const t = userWords.use();
  const { account } = useSignedIn();
  const [text, setText] = useState('');
  const [isWrong, setWrong] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const [found, setFound] = useState<readonly FoundThread[] | null>(null);
  const countryOf = async (): Promise<string | null> =>
    (await queryClient.fetchQuery(accountQuery(account.id))).default_country;
  const find = async (event?: FormEvent): Promise<void> => {
    event?.preventDefault();
    setError(null);
    setBusy(true);
    try {
      const asked = await readAsked(text, countryOf);
      setWrong(asked === null);
      if (asked === null) return;
      setFound(await findCustomer(asked));
    } catch (refusal) {
      const isNobody = refusal instanceof ApiError && refusal.code === 'THREAD_NOT_FOUND';
      setFound(isNobody ? [] : null);
      if (!isNobody) setError(refusal);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <DetailHead name={t('rights')} />
      <Stack gap="md" maw={640}>
        <Text size="sm">{t('rightsText')}</Text>
        <form noValidate onSubmit={(event) => void find(event)}>
          <Stack gap="xs">
            <TextInput
              label={t('findLabel')}
              description={t('findHint')}
              required
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
              error={isWrong ? t('findWrong') : undefined}
            />
            <Group>
              <Button type="submit" loading={isBusy}>
                {t('find')}
              </Button>
            </Group>
          </Stack>
        </form>
        {error !== null && <ErrorState error={error} onRetry={() => void find()} />}
        <Text role="status" fw={600}>
          {found && (found.length === 0 ? t('foundNobody') : t('found', { number: found.length }))}
        </Text>
        {found?.map((thread) => (
          <FoundCustomer
            key={thread.thread_id}
            thread={thread}
            onErased={() => setFound(found.map((one) => (one === thread ? afterErasure(one) : one)))}
          />
        ))}
      </Stack>
    </>
  );
}

const afterErasure = (thread: FoundThread): FoundThread => ({
  ...thread,
  ...{ phone: null, customer_name: null, updatedAt: null, erased: true },
});
