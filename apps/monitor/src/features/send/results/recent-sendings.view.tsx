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
import { recentSendings, type RecentSending } from './recent-sendings';
import classes from './recent-sendings.module.css';
import { sendWords } from '../send.words';

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
