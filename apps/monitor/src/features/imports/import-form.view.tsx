import { ApiError } from '@app/client/api.error';
import { TRANSFER_LIMITS } from '@app/contracts/transfer.words';
import { Alert, Button, Group, Select, Stack, Switch, Text, Title } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import '@mantine/dropzone/styles.css';
import IconFileSpreadsheet from '@tabler/icons-react/icons/IconFileSpreadsheet';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState, type FormEvent } from 'react';
import { isolated } from '../../shared/format/direction.format';
import { fileSize } from '../../shared/format/number.format';
import { leadWords } from '../../shared/leads/lead.words';
import { tellError } from '../../shared/notices/notice.store';
import { lastBoard } from '../../shared/session/last-board.store';
import { useSignedIn } from '../../shared/session/session.store';
import { CustomerText } from '../../shared/ui/customer-text.view';
import { EmptyState, ErrorState, LoadingState } from '../../shared/ui/states.view';
import { keepChecked } from './import.store';
import { numbersQuery, startImport, type ConnectedNumber } from './imports.query';
import classes from './imports.module.css';
import { importsWords } from './imports.words';

const MOST = TRANSFER_LIMITS.fileBytesMax;

const keyOf = ({ botId, channel }: ConnectedNumber): string => `${botId} ${channel}`;

/** Which file, and whose leads they become. It is checked first. */
export function ImportForm({ agent }: { agent: string | undefined }) {
  const t = importsWords.use();
  const ofLeads = leadWords.use();
  const navigate = useNavigate();
  const { assistants } = useSignedIn();
  const numbers = useQuery(numbersQuery);
  const wanted = agent ?? lastBoard.read();
  const assistantId = (assistants.find(({ id }) => id === wanted) ?? assistants[0])?.id ?? '';
  const [chosen, setChosen] = useState<string | null>(null);
  const [file, setFile] = useState<File | null>(null);
  const [startScenarios, setStartScenarios] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const open = useRef<() => void>(null);
  const ofAgent = (numbers.data ?? []).filter((one) => one.assistantId === assistantId);
  const number = ofAgent.find((one) => keyOf(one) === chosen) ?? ofAgent[0];

  const take = ([next]: readonly File[]): void => {
    if (!next) return;
    setFile(next);
    setFault(next.size > MOST ? t('fileTooLarge', { size: fileSize(MOST) }) : null);
  };
  const check = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (!file) {
      setFault(t('fileNeeded'));
      return;
    }
    if (!number || file.size > MOST) return;
    setBusy(true);
    setFault(null);
    const { botId, channel } = number;
    const given = { file, assistantId, botId, channel, startScenarios };
    try {
      const importId = await startImport(given, true);
      keepChecked(importId, given);
      void navigate({ to: '/import', search: { id: importId } });
    } catch (error) {
      const refused = refusalOf(error);
      if (refused === null) tellError(error);
      else setFault(`${t('fileRefused')} ${isolated(refused)}`);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Stack gap="md" className={classes.page}>
      <Title order={1}>{t('title')}</Title>
      <Text size="sm" c="dimmed">
        {t('intro')}
      </Text>
      <form noValidate className={classes.part} onSubmit={(event) => void check(event)}>
        <Stack gap="md">
          <Select
            label={t('agent')}
            maw={360}
            allowDeselect={false}
            data={assistants.map(({ id, name }) => ({ value: id, label: isolated(name) }))}
            value={assistantId}
            onChange={(id) => void navigate({ to: '/import', search: { agent: id ?? undefined } })}
          />
          {numbers.isPending ? (
            <LoadingState />
          ) : numbers.isError ? (
            <ErrorState error={numbers.error} onRetry={() => void numbers.refetch()} />
          ) : !number ? (
            <EmptyState title={t('noNumbers')} hint={t('noNumbersHint')} />
          ) : (
            <Select
              label={t('number')}
              maw={360}
              allowDeselect={false}
              data={ofAgent.map((one) => ({
                value: keyOf(one),
                label: `${isolated(one.name)} · ${ofLeads(`short_channel_${one.channel}`)}`,
              }))}
              value={keyOf(number)}
              onChange={setChosen}
            />
          )}
          <Dropzone
            onDrop={take}
            openRef={open}
            activateOnClick={false}
            activateOnKeyboard={false}
            enablePointerEvents
            multiple={false}
            tabIndex={-1}
            inputProps={{ 'aria-label': t('chooseFile') }}
            p="sm"
          >
            <Group gap="sm">
              <IconFileSpreadsheet size={28} aria-hidden />
              {file && (
                <Text fw={600}>
                  <CustomerText text={file.name} />
                </Text>
              )}
              <Button variant="default" onClick={() => open.current?.()}>
                {t(file ? 'otherFile' : 'chooseFile')}
              </Button>
              <Text size="sm" c="dimmed">
                {t('dropFile', { size: fileSize(MOST) })}
              </Text>
            </Group>
          </Dropzone>
          {fault !== null && (
            <Alert color="red" role="alert">
              <CustomerText text={fault} />
            </Alert>
          )}
          <Switch
            label={t('startScenarios')}
            description={t('startScenariosHint')}
            checked={startScenarios}
            onChange={(event) => setStartScenarios(event.currentTarget.checked)}
          />
          <Group gap="sm">
            <Button type="submit" loading={isBusy} disabled={!number}>
              {t('check')}
            </Button>
            <Text size="sm" c="dimmed">
              {t('checkHint')}
            </Text>
          </Group>
        </Stack>
      </form>
    </Stack>
  );
}

/** Why a file as a whole cannot be used, in the server's words. Null: that is not what failed. */
function refusalOf(error: unknown): string | null {
  if (!(error instanceof ApiError) || error.code !== 'VALIDATION_ERROR' || !Array.isArray(error.details))
    return null;
  const details = error.details as readonly { message?: unknown }[];
  return details.map(({ message }) => String(message)).join('; ');
}
