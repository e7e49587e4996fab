import type { RecipientResult } from '@app/client/api-types';
import { ApiError } from '@app/client/api.errors';
import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import { passFocus } from '../../../shared/ui/focus.hook';
import { IconDownload } from '../../../shared/ui/icons.view';
import { saveFile, csvOf } from '../../../shared/format/csv-file';
import { wholeNumber } from '../../../shared/format/number.format';
import { CountedProgress } from '../../../shared/ui/counted-progress.view';
import { ErrorState, LoadingState } from '../../../shared/ui/states.view';
import { commonWords } from '../../../shared/words/common.words';
import { explain } from '../../../shared/words/error.words';
import { FaultyRows } from '../recipients/check.view';
import { useOutcome } from '../send.query';
import { Results, reasonOf, statusWord } from './results.view';
import parts from '../../../shared/ui/part.module.css';
import classes from '../send.module.css';
import { sendWords } from '../send.words';
import { forgetSending, isUnderWay, noteSending, stopSending, type Sending } from './sending.store';

interface SendingNotesProps {
  sending: Sending | null;
  total: number;
  handedOver: number;
}

/** What holds a list up, and what of it was not sent. */
function SendingNotes({ sending, total, handedOver }: SendingNotesProps) {
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

interface Known {
  /** Where the list goes out from this tab. */
  sending: Sending | null;
  counts: Record<RecipientResult['status'], number>;
  total: number;
  /** All of its parts have been read. */
  isWhole: boolean;
}

/** The title of a list that goes out or has gone. It says no more than is known yet. */
function outcomeTitle({ sending, counts, total, isWhole }: Known) {
  if (isUnderWay(sending) || counts.queued > 0) return 'resultGoing';
  if (sending?.state === 'stopped') return 'resultStopped';
  if (sending?.state === 'refused') return 'resultEarly';
  if (!isWhole) return 'resultTitle';
  return counts.sent + counts.failed + counts.unknown < total ? 'resultEarly' : 'resultDone';
}

/** The results as a file for spreadsheets, in the language of the page. */
export function resultCsv(results: readonly RecipientResult[]): string {
  const t = sendWords.say;
  const rows = results.map((result) => ({
    [t('phone')]: result.phone ?? '',
    [t('status')]: statusWord(result.status),
    [t('reasonCode')]: result.error ?? '',
    [t('reason')]: reasonOf(result),
    [t('messageId')]: result.id,
    [t('dialog')]: result.thread_id,
  }));
  return csvOf(rows);
}

interface Props {
  ids: readonly string[];
  /** How many the whole list has, as the address says; null: as many as are known. */
  total: number | null;
  /** Where the list goes out from this tab. */
  sending: Sending | null;
}

/** How far a list is, and what became of each of its messages. It can be opened again by its address. */
export function Outcome({ ids, total: told, sending }: Props) {
  const t = sendWords.use();
  const navigate = useNavigate();
  const router = useRouter();
  const queries = useQueryClient();
  const outcome = useOutcome(ids);
  const { results, counts } = outcome;
  const batch = ids.join(',');
  const total = sending?.total ?? told ?? results.length;
  const isGoing = isUnderWay(sending);
  const settled = counts.sent + counts.failed + counts.unknown;

  const ownTotal = sending?.total;
  useEffect(() => {
    // This stays on the screen until the page that the person goes to is there. It does not call them back.
    const isLeaving = router.latestLocation.pathname !== '/send';
    if (ownTotal === undefined || batch === '' || isLeaving) return;
    const search = { batch, of: ownTotal };
    void navigate({ to: '/send', search, replace: true }).then(() => !isGoing && noteSending());
  }, [ownTotal, batch, isGoing, navigate, router]);
  useEffect(() => {
    if (!isGoing) void queries.invalidateQueries({ queryKey: ['quota'] });
  }, [isGoing, queries]);

  const heading = useRef<HTMLHeadingElement>(null);
  // Whoever has just sent it comes from a question that is gone.
  const isOwn = sending !== null;
  useEffect(() => {
    if (isOwn) passFocus(() => heading.current);
  }, [isOwn]);

  const startAnew = (): void => {
    forgetSending();
    void navigate({ to: '/send', search: {} }).then(() => passFocus(() => document.querySelector('main h1')));
  };
  const leftOut = sending?.leftOut.words() ?? [];
  // Until then less is known of it than there is.
  const isWhole = !outcome.isPending && outcome.error === null;
  const title = outcomeTitle({ sending, counts, total, isWhole });
  const isKnown = sending !== null || results.length > 0;
  const handedOver = sending?.handedOver ?? (isWhole ? results.length : total);
  return (
    <Stack gap="md" className={classes.single}>
      <Group justify="space-between">
        <Title order={1} ref={heading} tabIndex={-1}>
          {t(title)}
        </Title>
        <Group gap="xs">
          {sending && isGoing && sending.handedOver < total && (
            <Button
              size="xs"
              variant="default"
              disabled={sending.state === 'stopping'}
              title={t('stopHint')}
              onClick={stopSending}
            >
              {t(sending.state === 'stopping' ? 'stopping' : 'stop')}
            </Button>
          )}
          {!isGoing && (
            <Button size="xs" variant="default" onClick={startAnew}>
              {t('newList')}
            </Button>
          )}
          <Button
            size="xs"
            leftSection={<IconDownload size={16} aria-hidden />}
            disabled={results.length === 0}
            onClick={() => saveFile(t('fileName'), resultCsv(results))}
          >
            {t('downloadResult')}
          </Button>
        </Group>
      </Group>
      <SendingNotes sending={sending} total={total} handedOver={handedOver} />
      {isKnown && (
        <section className={parts.part}>
          <CountedProgress
            {...{ done: settled, total, isGoing: isGoing || counts.queued > 0 }}
            words={t('progress', { done: wholeNumber(settled), total: wholeNumber(total) })}
            label={t('progressOf')}
            endWords={t(title)}
            counts={[
              { name: 'sent', word: t('countSent'), count: counts.sent },
              { name: 'failed', word: t('countFailed'), count: counts.failed },
              { name: 'unknown', word: t('countUnknown'), count: counts.unknown },
              { name: 'queued', word: t('countQueued'), count: counts.queued },
            ]}
            note={
              isGoing && (
                <Text size="sm" c="dimmed">
                  {t('keepOpen')}
                </Text>
              )
            }
          />
          {leftOut.length > 0 && (
            <Group gap="xs" mt="xs">
              <Text size="sm">{t('wasLeftOut', { what: leftOut.join(', ') })}</Text>
              {sending?.leftOut.faulty && <FaultyRows csv={sending.leftOut.faulty} />}
            </Group>
          )}
        </section>
      )}
      {outcome.error !== null && results.length > 0 && <Alert color="orange">{t('resultsStale')}</Alert>}
      {results.length > 0 ? (
        <Results results={results} counts={counts} />
      ) : outcome.error !== null ? (
        <ErrorState error={outcome.error} onRetry={outcome.retry} />
      ) : (
        outcome.isPending && <LoadingState />
      )}
    </Stack>
  );
}
