import type { ThreadAnswer } from '@app/client/api-types';
import { Anchor, Button, Group, Paper, Stack, Text, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { api } from '../../../shared/api/page-api';
import { downloadFile } from '../../../shared/files/browser-download';
import { readablePhone } from '../../../shared/format/number.format';
import { dateAndTime } from '../../../shared/format/time.format';
import { tellDone, tellFailed } from '../../../shared/notices/notice.store';
import { useSignedIn } from '../../../shared/session/session.store';
import { confirmed } from '../../../shared/ui/confirmation.store';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import { Ask } from '../../../shared/ui/ask.view';
import { useAct } from '../parts/forms/save.hook';
import { Mark } from '../parts/lists/entry-list.view';
import { threadIdsIn } from '../parts/thread-id.format';
import { userWords } from './user.words';

/** A dialog of a customer, as much of it as is kept. */
export type FoundThread = Pick<ThreadAnswer, 'thread_id' | 'assistant_id' | 'phone' | 'customer_name'> & {
  /** Null: it has just been erased. */
  updatedAt: string | null;
  erased: boolean;
};

/** Whose data are asked for, by what somebody typed. */
type Asked = { phone: string } | { threadId: string };

/**
 * A dialog may have a phone that is no valid number any more, so such a phone is searched for as it was typed.
 * @param countryOf tells the country in which a phone is read that does not say its own
 * @returns null for what is neither a phone nor a dialog
 */
export async function readAsked(
  text: string,
  countryOf: () => Promise<string | null>,
): Promise<Asked | null> {
  const [threadId] = threadIdsIn(text);
  if (threadId !== undefined) return { threadId };
  const { readPhone } = await import('@app/contracts/values/phone-reader');
  let { phone, fault } = readPhone(text, null);
  if (fault === 'no_country') ({ phone, fault } = readPhone(text, await countryOf()));
  if (phone !== null) return { phone };
  const digits = text.replace(/\D/g, '');
  const isTyped = fault !== 'letters' && fault !== 'ambiguous' && /^[1-9]\d{6,14}$/.test(digits);
  return isTyped ? { phone: `+${digits}` } : null;
}

/**
 * The dialogs of a customer, on all numbers of the account: those that the phone leads to, and all that are known to be of the
 * same customer. One that was asked for comes first.
 */
export async function findCustomer(asked: Asked): Promise<FoundThread[]> {
  const found = new Map<string, ThreadAnswer>();
  const find = async (filter: { phones: string[] } | { thread_ids: string[] }): Promise<void> => {
    const { threads } = await api.post('/api/v1/messages/get-threads', { body: { ...filter, limit: 200 } });
    // During an update a process of the former version knows no filter by ids, and lists others.
    const asksFor = 'thread_ids' in filter ? new Set(filter.thread_ids) : null;
    for (const thread of threads)
      if (asksFor?.has(thread.thread_id) ?? true) found.set(thread.thread_id, thread);
  };
  if ('phone' in asked) await find({ phones: [asked.phone] });
  else {
    await find({ thread_ids: [asked.threadId] });
    const phone = found.get(asked.threadId)?.phone;
    if (phone) await find({ phones: [phone] });
  }
  const same = new Set([...found.values()].flatMap(({ same_customer }) => same_customer));
  const further = [...same].filter((id) => !found.has(id));
  if (further.length > 0) await find({ thread_ids: further });
  return [...found.values()].map(
    ({ thread_id, assistant_id, phone, customer_name, updated_at, erased_at }) => ({
      ...{ thread_id, assistant_id, phone, customer_name },
      ...{ updatedAt: updated_at, erased: erased_at !== null },
    }),
  );
}

/**
 * Everything that is kept of a dialog, as a file.
 * @returns null where the answer broke off: then its last line is missing
 */
async function exportThread(id: string): Promise<Blob | null> {
  const file = await api.file('post', '/api/v1/admin/threads/{id}/export', {
    params: { path: { id } },
    body: {},
  });
  const tail = await file.slice(-2_000).text();
  const last = tail.trimEnd().split('\n').at(-1) ?? '';
  return last.includes('"record":"end"') ? file : null;
}

/** One dialog of a customer: whom it is with, its export and its end. */
export function FoundCustomer({ thread, onErased }: { thread: FoundThread; onErased: () => void }) {
  const t = userWords.use();
  const { assistants } = useSignedIn();
  const { isBusy, act } = useAct();
  const [isAsked, setAsked] = useState(false);
  const { thread_id: id, phone, customer_name: name, updatedAt, erased } = thread;
  const agent = assistants.find((assistant) => assistant.id === thread.assistant_id)?.name;
  const takeOut = async (): Promise<void> => {
    const file = await act(async () => ({ file: await confirmed(() => exportThread(id)) }));
    if (!file) return;
    if (file.file === null) {
      tellFailed(t('exportBroken'));
      return;
    }
    downloadFile(`${id}.ndjson`, file.file, 'application/x-ndjson');
    tellDone(t('exported'));
  };
  return (
    <Paper withBorder p="sm" component="article" aria-label={name ?? phone ?? id}>
      <Stack gap={4}>
        <Group gap="xs">
          <Text fw={600}>{name === null ? t('noName') : <CustomerText text={name} />}</Text>
          {phone !== null && (
            <Text>
              <CustomerText text={readablePhone(phone)} isPhone />
            </Text>
          )}
          {erased && <Mark tone="bad" text={t('erased')} />}
        </Group>
        <Text size="sm" c="dimmed">
          {agent !== undefined && (
            <>
              {t('agent')}
              <CustomerText text={agent} />
            </>
          )}
          {updatedAt !== null && (
            <>
              {agent !== undefined && ' · '}
              {t('lastActivity')}
              {dateAndTime(updatedAt)}
            </>
          )}
        </Text>
        <Group gap="xs" mt={4}>
          <Anchor
            size="sm"
            renderRoot={(props) => <Link to="/dialogs/$threadId" params={{ threadId: id }} {...props} />}
          >
            {t('openDialog')}
          </Anchor>
          <Button size="xs" variant="default" loading={isBusy} onClick={() => void takeOut()}>
            {t('export')}
          </Button>
          {!erased && (
            <Button size="xs" variant="default" c="var(--ll-danger)" onClick={() => setAsked(true)}>
              {t('erase')}
            </Button>
          )}
        </Group>
        <Text size="xs" c="dimmed">
          {t('exportHint')}
        </Text>
      </Stack>
      <EraseQuestion
        {...{ thread, isOpen: isAsked, onClose: () => setAsked(false) }}
        onErased={() => {
          setAsked(false);
          onErased();
        }}
      />
    </Paper>
  );
}

interface QuestionProps {
  thread: FoundThread;
  isOpen: boolean;
  onClose: () => void;
  onErased: () => void;
}

/** Erasing is confirmed by typing the phone, so that it is no slip. */
function EraseQuestion({ thread, isOpen, onClose, onErased }: QuestionProps) {
  const t = userWords.use();
  const { isBusy, act } = useAct();
  const [typed, setTyped] = useState('');
  useEffect(() => setTyped(''), [isOpen]);
  const { thread_id: id, phone, customer_name: name } = thread;
  const digitsOf = (text: string): string => text.replace(/\D/g, '');
  const isRight =
    phone === null ? typed.trim().toLowerCase() === t('eraseWord') : digitsOf(typed) === digitsOf(phone);
  const erase = async (): Promise<void> => {
    const done = await act(
      () =>
        confirmed(() => api.post('/api/v1/admin/threads/{id}/erase', { params: { path: { id } }, body: {} })),
      t('erased'),
    );
    if (done) onErased();
  };
  return (
    <Ask
      isOpen={isOpen}
      {...{ title: t('eraseTitle'), text: t('eraseText'), action: t('erase'), isBusy, onClose }}
      name={[name, phone === null ? null : readablePhone(phone)].filter((part) => part !== null).join(' · ')}
      isGrave
      isDisabled={!isRight}
      onAnswer={() => void erase()}
    >
      <TextInput
        label={phone === null ? t('eraseTypeNone') : t('eraseType')}
        autoComplete="off"
        inputMode={phone === null ? 'text' : 'tel'}
        data-autofocus
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        error={typed !== '' && !isRight && digitsOf(typed).length >= 11 ? t('eraseWrong') : undefined}
      />
    </Ask>
  );
}
