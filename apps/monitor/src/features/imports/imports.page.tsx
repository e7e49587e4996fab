import { ENCODING_CHOICES, type EncodingChoice } from '@app/contracts/values/text-encoding';
import { TRANSFER_LIMITS } from '@app/contracts/transfer.words';
import { Alert, Button, Group, Select, Stack, Switch, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch, useNavigate } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { FileDrop } from '../../shared/files/file-drop.view';
import { isolated } from '../../shared/format/direction.format';
import { fileSize, wholeNumber } from '../../shared/format/number.format';
import { numbersQuery, numberChoices, numberKey } from '../../shared/leads/bots.query';
import { lastBoard } from '../../shared/session/last-board.store';
import { useSignedIn } from '../../shared/session/session.store';
import { usePageTitle } from '../../shared/ui/page-title.hook';
import parts from '../../shared/ui/part.module.css';
import { EmptyState, ErrorState, LoadingState } from '../../shared/ui/states.view';
import { isOfEncoding, type FileRefusal } from './faults.format';
import { RefusedFile } from './faults.view';
import { ImportProgress } from './import-progress.view';
import { useImportStart } from './import-start.hook';
import classes from './imports.module.css';
import { importsWords } from './imports.words';

const { fileBytesMax, rowsMax } = TRANSFER_LIMITS;

const ENCODING_NAMES: Record<EncodingChoice, string> = {
  ...{ 'utf-8': 'UTF-8', 'utf-16': 'UTF-16', 'windows-1251': 'Windows-1251', 'windows-1252': 'Windows-1252' },
};

/** What is wrong with the file that was chosen. It is said anew when the language changes. */
type ChosenFault = 'fileNeeded' | 'fileTooLarge' | FileRefusal;

/** Which file, and whose leads they become. It is checked first. */
function ImportForm({ agent }: { agent: string | undefined }) {
  const t = importsWords.use();
  const navigate = useNavigate();
  const { assistants } = useSignedIn();
  const numbers = useQuery(numbersQuery);
  const wanted = agent ?? lastBoard.read();
  const assistantId = (assistants.find(({ id }) => id === wanted) ?? assistants[0])?.id ?? '';
  const [chosen, setChosen] = useState<string | null>(null);
  const [file, setFile] = useState<File | null>(null);
  const [startScenarios, setStartScenarios] = useState(false);
  const [fault, setFault] = useState<ChosenFault | null>(null);
  const [encoding, setEncoding] = useState<EncodingChoice | null>(null);
  const isUnsure = fault !== null && typeof fault !== 'string' && isOfEncoding(fault);
  const { isBusy, start } = useImportStart();
  const ofAgent = (numbers.data ?? []).filter((one) => one.assistantId === assistantId);
  const number = ofAgent.find((one) => numberKey(one) === chosen) ?? ofAgent[0];

  const take = (next: File): void => {
    setFile(next);
    setEncoding(null);
    setFault(next.size > fileBytesMax ? 'fileTooLarge' : null);
  };
  const check = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (!file) {
      setFault('fileNeeded');
      return;
    }
    if (!number || file.size > fileBytesMax) return;
    setFault(null);
    const { botId, channel } = number;
    setFault(await start({ file, assistantId, botId, channel, startScenarios, encoding }, true));
  };
  return (
    <Stack gap="md" className={classes.page}>
      <Title order={1}>{t('title')}</Title>
      <Text size="sm" c="dimmed">
        {t('intro')}
      </Text>
      <form noValidate className={parts.part} onSubmit={(event) => void check(event)}>
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
              data={numberChoices(ofAgent)}
              value={numberKey(number)}
              onChange={setChosen}
            />
          )}
          <FileDrop
            name={file?.name ?? null}
            words={{
              ...{ choose: t('chooseFile'), other: t('otherFile') },
              hint: t('dropFile', { rows: wholeNumber(rowsMax), size: fileSize(fileBytesMax) }),
            }}
            onFile={take}
          />
          {typeof fault === 'string' ? (
            <Alert color="red" role="alert">
              {t(fault, { size: fileSize(fileBytesMax) })}
            </Alert>
          ) : (
            fault !== null && <RefusedFile refusal={fault} />
          )}
          {(isUnsure || encoding !== null) && (
            <Select
              label={t('encoding')}
              placeholder={t('encodingAuto')}
              maw={360}
              clearable
              data={ENCODING_CHOICES.map((value) => ({ value, label: ENCODING_NAMES[value] }))}
              value={encoding}
              onChange={setEncoding}
            />
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

/** `/import`: leads from a file; with `?id=…` how far an import is and what became of its rows. */
export function ImportsPage() {
  const { id, agent } = useSearch({ from: '/inside/import' });
  usePageTitle(importsWords.use()('title'));
  return id === undefined ? <ImportForm agent={agent} /> : <ImportProgress key={id} importId={id} />;
}
