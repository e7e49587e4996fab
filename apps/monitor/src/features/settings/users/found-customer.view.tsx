import { Anchor, Button, Group, Paper, Stack, Text, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { api } from '../../../shared/api/page-api';
import { downloadFile } from '../../../shared/files/file-download';
import { readablePhone } from '../../../shared/format/number.format';
import { dateAndTime } from '../../../shared/format/time.format';
import { tellDone, tellFailed } from '../../../shared/notices/notice.store';
import { useSignedIn } from '../../../shared/session/session.store';
import { confirmed } from '../../../shared/ui/confirmation.store';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import { useAct } from '../parts/forms/act.hook';
import { Mark } from '../parts/mark.view';
import { Ask } from '../../../shared/ui/ask.view';
import { exportThread, type FoundThread } from './customer-search';
import { userWords } from './user.words';

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
