import type { ListedBatchAnswer } from '@app/client/api-types';
import { Button, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useInfiniteQuery } from '@tanstack/react-query';
import { api } from '../../../shared/api/page-api';
import { wholeNumber } from '../../../shared/format/number.format';
import { dateAndTime } from '../../../shared/format/time.format';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import { passFocus } from '../../../shared/ui/focus.hook';
import parts from '../../../shared/ui/part.module.css';
import { EmptyState, ErrorState, LoadingState } from '../../../shared/ui/states.view';
import { commonWords } from '../../../shared/words/common.words';
import { RECIPIENTS_LEAST } from './part-sender';
import classes from './recent-sendings.module.css';
import { sendWords } from '../send.words';

/** The longest that two parts of one list are apart: the next is handed over when nothing of the one before is in line. */
const APART_MS = 2 * 60_000;

type Counts = Pick<ListedBatchAnswer, 'total' | 'sent' | 'failed' | 'queued' | 'unknown'>;

/** A list as a person sent it, in one part or several. */
interface RecentSending extends Counts, Pick<ListedBatchAnswer, 'template' | 'author'> {
  /** Of its parts, in the order in which they were sent. */
  batchIds: readonly string[];
  /** When its first part was sent. */
  at: string;
}

const sumOf = (parts: readonly ListedBatchAnswer[], of: keyof Counts): number =>
  parts.reduce((sum, part) => sum + part[of], 0);

/** The service knows parts alone: those of one list follow each other, by one person, with one template, from one number. */
function belongTogether(later: ListedBatchAnswer, earlier: ListedBatchAnswer): boolean {
  const source = ({ author, bot_id, channel, template }: ListedBatchAnswer): string =>
    [author?.id, bot_id, channel, template?.name, template?.language].join(' ');
  return (
    later.author !== null &&
    source(later) === source(earlier) &&
    // Only the last part is smaller than the others: what was sent to oneself first is a list of its own.
    earlier.total >= RECIPIENTS_LEAST &&
    earlier.total >= later.total &&
    Date.parse(later.created_at) - Date.parse(earlier.created_at) <= APART_MS
  );
}

/** Lists, newest first, of parts that are newest first. */
export function recentSendings(batches: readonly ListedBatchAnswer[]): RecentSending[] {
  const groups: ListedBatchAnswer[][] = [];
  for (const batch of batches) {
    const last = groups.at(-1)?.[0];
    if (last && belongTogether(last, batch)) groups.at(-1)?.unshift(batch);
    else groups.push([batch]);
  }
  return groups.flatMap((parts) => {
    const [first] = parts;
    if (!first) return [];
    return {
      ...{ batchIds: parts.map(({ batch_id: id }) => id), at: first.created_at },
      ...{ template: first.template, author: first.author, total: sumOf(parts, 'total') },
      ...{ sent: sumOf(parts, 'sent'), failed: sumOf(parts, 'failed') },
      ...{ queued: sumOf(parts, 'queued'), unknown: sumOf(parts, 'unknown') },
    };
  });
}

/** The parts of a long list: the address of a list has as many at most. */
const PAGE = 50;

/** Lists that were sent before, by anybody whose lists one may see: each leads to what became of it. */
export function RecentSendings() {
  const t = sendWords.use();
  return (
    <section className={parts.part} aria-labelledby="recent-sendings">
      <Title order={2} mb="sm" id="recent-sendings">
        {t('recent')}
      </Title>
      <Sendings />
    </section>
  );
}

function Sendings() {
  const t = sendWords.use();
  const common = commonWords.use();
  const batches = useInfiniteQuery({
    queryKey: ['batches'],
    staleTime: 0,
    queryFn: ({ pageParam: cursor }) =>
      api.post('/api/v1/messages/get-batches', { body: { limit: PAGE, cursor } }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor: next }) => next,
  });
  if (batches.isPending) return <LoadingState />;
  if (!batches.data) return <ErrorState error={batches.error} onRetry={() => void batches.refetch()} />;
  const sendings = recentSendings(batches.data.pages.flatMap((page) => page.batches));
  if (sendings.length === 0) return <EmptyState title={t('noneRecent')} />;
  return (
    <>
      <ul className={classes.list} aria-labelledby="recent-sendings">
        {sendings.map((sending) => (
          <Sending key={sending.batchIds.at(-1)} sending={sending} />
        ))}
      </ul>
      {batches.hasNextPage && (
        <Button
          variant="default"
          size="xs"
          mt="sm"
          loading={batches.isFetchingNextPage}
          onClick={() => void batches.fetchNextPage()}
        >
          {common('more')}
        </Button>
      )}
    </>
  );
}

const COUNTS = [
  ['sent', 'countSent'],
  ['failed', 'countFailed'],
  ['unknown', 'countUnknown'],
  ['queued', 'countQueued'],
] as const;

function Sending({ sending }: { sending: RecentSending }) {
  const t = sendWords.use();
  const { batchIds, at, template, author, total } = sending;
  const counts = COUNTS.filter(([state]) => sending[state] > 0);
  return (
    <li className={classes.sending}>
      <Link
        to="/send"
        search={{ batch: batchIds.join(','), of: total }}
        className={classes.link}
        onClick={() => passFocus(() => document.querySelector('main h1'))}
      >
        <span className={classes.at}>{dateAndTime(at)}</span>{' '}
        {template === null ? t('templateErased') : <CustomerText text={template.name} />}
      </Link>
      {author !== null && <CustomerText text={author.name} className={classes.author} />}
      <span className={classes.counts}>
        {counts.map(([state, word]) => `${t(word)} ${wholeNumber(sending[state])}`).join(' · ')}
      </span>
    </li>
  );
}
