import type { ImportAnswer } from '@app/client/api-types';
import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery, queryOptions } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api, queryClient } from '../../shared/api/page-api';
import { isolated } from '../../shared/format/direction.format';
import { wholeNumber } from '../../shared/format/number.format';
import { tellError } from '../../shared/notices/notice.store';
import { Ask } from '../../shared/ui/ask.view';
import { CountedProgress } from '../../shared/ui/counted-progress.view';
import { CustomerText } from '../../shared/ui/customer-text.view';
import { passFocus } from '../../shared/ui/focus.hook';
import parts from '../../shared/ui/part.module.css';
import { LinkButton } from '../../shared/ui/buttons.view';
import { ErrorState, LoadingState } from '../../shared/ui/states.view';
import type { FileRefusal } from './faults.format';
import { Faults, RefusedFile } from './faults.view';
import { useImportStart, givenOf } from './import-start.hook';
import classes from './imports.module.css';
import { importsWords } from './imports.words';

const EVERY_MS = 1_000;

/** How far an import is; once it has ended, with its faults. */
const importQuery = (importId: string) =>
  queryOptions({
    queryKey: ['import', importId],
    queryFn: async ({ signal }): Promise<ImportAnswer> => {
      const ask = (faults_limit?: number) =>
        api.post('/api/v1/leads/get-import', { body: { import_id: importId, faults_limit }, signal });
      const progress = await ask(0);
      return progress.state !== 'running' && progress.faulty > 0 ? ask() : progress;
    },
    refetchInterval: ({ state: { data } }) => (data?.state === 'running' ? EVERY_MS : false),
  });

/** How far an import is, or its check, and what became of the rows. It can be opened again by its address. */
export function ImportProgress({ importId }: { importId: string }) {
  const t = importsWords.use();
  const shown = useQuery(importQuery(importId));
  const title = useRef<HTMLHeadingElement>(null);
  // Whoever has just begun it comes from a button that is gone.
  useEffect(() => passFocus(() => title.current), []);
  return (
    <Stack gap="md" className={classes.page}>
      <Title order={1} ref={title} tabIndex={-1}>
        {shown.data ? titleOf(shown.data) : t('title')}
      </Title>
      {shown.data ? (
        <Known shown={shown.data} />
      ) : shown.isError ? (
        <>
          <ErrorState error={shown.error} onRetry={() => void shown.refetch()} />
          <Group justify="center">
            <LinkButton to="/import" search={{}} size="xs" variant="default">
              {t('again')}
            </LinkButton>
          </Group>
        </>
      ) : (
        <LoadingState />
      )}
    </Stack>
  );
}

function titleOf({ state, dry_run }: ImportAnswer): string {
  const t = importsWords.say;
  if (state === 'running') return t(dry_run ? 'checking' : 'running');
  if (state === 'done') return t(dry_run ? 'checked' : 'done');
  if (state === 'cancelled') return t(dry_run ? 'checkCancelled' : 'cancelled');
  return t('failed');
}

type CountName = 'created' | 'moved' | 'unchanged' | 'faulty' | 'runs' | 'messages';

function Known({ shown }: { shown: ImportAnswer }) {
  const t = importsWords.use();
  const { state, dry_run, failure, rows, done, faulty, ignored_columns: ignored, would_start: would } = shown;
  const isRunning = state === 'running';
  const counted = (name: CountName, count: number) => ({ name, word: t(name), count });
  const counts = [
    ...(['created', 'moved', 'unchanged', 'faulty'] as const).map((name) => counted(name, shown[name])),
    ...(would ? (['runs', 'messages'] as const).map((name) => counted(name, would[name])) : []),
  ];
  return (
    <>
      {failure !== null && <Alert color="red">{t(`failure_${failure}`)}</Alert>}
      {state === 'cancelled' && !dry_run && <Alert color="gray">{t('cancelledText')}</Alert>}
      {ignored.length > 0 && (
        <Text size="sm">
          {t('ignoredColumns')} <CustomerText text={ignored.map(isolated).join(', ')} />
        </Text>
      )}
      <section className={parts.part}>
        <CountedProgress
          {...{ done, total: rows, isGoing: isRunning, counts }}
          words={t('progress', { done: wholeNumber(done), rows: wholeNumber(rows) })}
          label={t('progressOf')}
          endWords={titleOf(shown)}
        />
        {isRunning ? <Running shown={shown} /> : <Ended shown={shown} />}
      </section>
      {!isRunning && faulty > 0 && <Faults shown={shown} />}
    </>
  );
}

function Running({ shown: { import_id } }: { shown: ImportAnswer }) {
  const t = importsWords.use();
  const [isAsked, setAsked] = useState(false);
  const cancel = async (): Promise<void> => {
    setAsked(false);
    try {
      await api.post('/api/v1/leads/cancel-import', { body: { import_id } });
    } catch (error) {
      tellError(error);
    }
    void queryClient.invalidateQueries({ queryKey: importQuery(import_id).queryKey });
  };
  return (
    <Group gap="sm">
      <Button size="xs" variant="default" onClick={() => setAsked(true)}>
        {t('cancel')}
      </Button>
      <Text size="sm" c="dimmed">
        {t('anywhere')}
      </Text>
      <Ask
        isOpen={isAsked}
        {...{ title: t('cancel'), text: t('cancelText'), action: t('cancel') }}
        onAnswer={() => void cancel()}
        onClose={() => setAsked(false)}
      />
    </Group>
  );
}

function Ended({ shown }: { shown: ImportAnswer }) {
  const t = importsWords.use();
  const { isBusy, start } = useImportStart();
  const [refusal, setRefusal] = useState<FileRefusal | null>(null);
  const { import_id, assistant_id, dry_run, state, created, moved, unchanged } = shown;
  const good = created + moved + unchanged;
  const isOpen = dry_run && state === 'done' && good > 0;
  const given = givenOf(import_id);
  return (
    <Stack gap="xs">
      {refusal !== null && <RefusedFile refusal={refusal} />}
      {isOpen && !given && <Text size="sm">{t('fileGone')}</Text>}
      <Group gap="sm">
        {isOpen && given && (
          <Button loading={isBusy} onClick={() => void start(given, false).then(setRefusal)}>
            {t('import', { count: good })}
          </Button>
        )}
        {!dry_run && (
          <LinkButton to="/board/$assistantId" params={{ assistantId: assistant_id }} search={{}}>
            {t('toBoard')}
          </LinkButton>
        )}
        <LinkButton to="/import" search={{ agent: assistant_id }} variant="default">
          {t('again')}
        </LinkButton>
      </Group>
    </Stack>
  );
}
