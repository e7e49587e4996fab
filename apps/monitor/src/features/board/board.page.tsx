import { ApiError } from '@app/client/api.errors';
import type { BoardFault } from '@app/client/board/board-requests';
import type { StatusId } from '@app/client/board/board-views';
import type { BoardFilter } from '@app/contracts/board-events';
import { Group, CloseButton, Paper, NativeSelect } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { isolated } from '../../shared/format/direction.format';
import { wholeNumber } from '../../shared/format/number.format';
import { stageName } from '../../shared/leads/lead-names.format';
import { useLive } from '../../shared/live/live-context';
import { useSignedIn } from '../../shared/session/session.store';
import { LinkButton } from '../../shared/ui/buttons.view';
import { CustomerText } from '../../shared/ui/customer-text.view';
import { ErrorState, LoadingState, EmptyState } from '../../shared/ui/states.view';
import { useAiSwitch } from './card/ai-switch.hook';
import { useBoardKeys } from './board-keys.hook';
import { useBoardState, useTotals } from './board-state.hook';
import classes from './board.module.css';
import { useBoardDrag } from './card/card-drag.hook';
import { filterOf, type BoardSearch, type BoardSort } from './search/board-search';
import { boardWords } from './board.words';
import { cardFocus } from './card/card-focus';
import { Column } from './columns/column.view';
import { useLeadsInView, useOpenLeadInView } from './columns/leads-in-view.hook';
import { MoveNews } from './columns/move-news.view';
import { Toolbar } from './toolbar.view';

interface StagePickerProps {
  columns: readonly { id: StatusId; name: string }[];
  shown: StatusId;
  onShow: (id: StatusId) => void;
}

/** On a phone one column is shown at a time: this one. */
function StagePicker({ columns, shown, onShow }: StagePickerProps) {
  const t = boardWords.use();
  const totals = useTotals(columns.map(({ id }) => id));
  return (
    <NativeSelect
      className={classes.stagePicker}
      size="sm"
      aria-label={t('stage')}
      value={shown ?? 'none'}
      onChange={({ currentTarget: { value } }) => onShow(value === 'none' ? null : value)}
      data={columns.map(({ id, name }, index) => ({
        value: id ?? 'none',
        label: t('stageWithCount', { stage: isolated(name), count: wholeNumber(totals[index] ?? 0) }),
      }))}
    />
  );
}

const KEY = 'leadline.first-visit';

/** What can be tried here, until it is closed for good. */
function FirstVisit() {
  const t = boardWords.use();
  const isTouch = useMediaQuery('(hover: none)', false, { getInitialValueInEffect: false });
  const [isShown, setShown] = useState(() => localStorage.getItem(KEY) === null);
  if (!isShown) return null;
  return (
    <Paper component="aside" className={classes.firstVisit} withBorder shadow="sm" aria-label={t('tryTitle')}>
      <div>
        <h2 className={classes.firstVisitTitle}>{t('tryTitle')}</h2>
        <ol className={classes.hints}>
          <li>{t(isTouch ? 'tryMoveTouch' : 'tryMove')}</li>
          <li>{t('tryWrite')}</li>
          <li>{t(isTouch ? 'trySwitchTouch' : 'trySwitch')}</li>
        </ol>
      </div>
      <CloseButton
        aria-label={t('tryClose')}
        onClick={() => {
          localStorage.setItem(KEY, 'seen');
          setShown(false);
        }}
      />
    </Paper>
  );
}

/** In the place of a board that is not there, or not this person's, with the way to those that are. */
function MissingBoard({ assistantId }: { assistantId: string }) {
  const t = boardWords.use();
  const { assistants } = useSignedIn();
  return (
    <EmptyState
      isPage
      title={t('missing')}
      hint={t('missingHint')}
      action={
        <Group gap="xs" justify="center" maw="100%">
          {assistants
            .filter(({ id }) => id !== assistantId)
            .map(({ id, name }) => (
              <LinkButton
                key={id}
                to="/board/$assistantId"
                params={{ assistantId: id }}
                search={{}}
                size="xs"
                variant="light"
                maw="100%"
              >
                <CustomerText text={name} className={classes.otherName} />
              </LinkButton>
            ))}
        </Group>
      }
    />
  );
}

/** Of each column: as many as a tall screen shows. The others come while one scrolls. */
const CARDS_AT_FIRST = 30;

interface Props {
  assistantId: string;
  search: BoardSearch;
  /** The dialog that is open beside the board. */
  openThreadId: string | null;
  onOpen: (threadId: string) => void;
}

/** `/board/<assistant>` */
export function BoardPage({ assistantId, search, openThreadId, onOpen }: Props) {
  const { connection, refusal } = useLive();
  const fault = useSyncExternalStore(refusal.subscribe, refusal.read);
  const board = useBoardState();
  const filter = useMemo(() => filterOf(search), [search]);
  const { sort = 'activity' } = search;

  useEffect(() => {
    refusal.clear();
    connection.show({ assistantId, filter, sort, limit: CARDS_AT_FIRST });
  }, [connection, refusal, assistantId, filter, sort]);
  useEffect(() => () => connection.leave(), [connection]);

  useEffect(() => () => cardFocus.forget(), []);

  const isShown = board.columnIds.length > 0;
  const isMissing =
    fault?.code === 'ASSISTANT_NOT_FOUND' || (fault?.code === 'VALIDATION_ERROR' && filter === undefined);
  // What was shown of it is not for this person any more.
  if (isMissing) return <MissingBoard assistantId={assistantId} />;
  return (
    <div className={classes.page}>
      <Toolbar assistantId={assistantId} search={search} />
      {fault && <ErrorState error={errorOf(fault)} />}
      {!isShown && !fault && <LoadingState />}
      {isShown && (
        <>
          <FirstVisit />
          <Columns filter={filter} sort={sort} openThreadId={openThreadId} onOpen={onOpen} />
        </>
      )}
      <MoveNews />
    </div>
  );
}

const errorOf = ({ code, message }: BoardFault): Error =>
  code === 'TIMEOUT' ? new Error(message) : new ApiError({ code, message, status: 0, requestId: '' });

/** So many columns may draw all their cards in view without the document growing too large. */
const MANY = 20;

interface ColumnsProps {
  filter: BoardFilter | undefined;
  sort: BoardSort;
  openThreadId: string | null;
  onOpen: (threadId: string) => void;
}

function Columns({ filter, sort, openThreadId, onOpen }: ColumnsProps) {
  const t = boardWords.use();
  const { statuses, columnIds } = useBoardState();
  const board = useRef<HTMLDivElement>(null);
  const isNarrow = useMediaQuery('(max-width: 767px)', false, { getInitialValueInEffect: false });
  const [picked, setPicked] = useState<StatusId | undefined>(undefined);
  const columns = columnIds.map((id) => ({
    id,
    name: statuses.find((stage) => stage.id === id)?.name ?? stageName(null),
  }));
  const one = columns.find(({ id }) => id === picked) ?? columns[0];
  const shown = isNarrow && one ? [one] : columns;
  const isEmpty = useTotals(columnIds).every((total) => total === 0);
  const hasFilter = filter !== undefined;
  const { onSwitch, question } = useAiSwitch();
  // Other leads, or another order, are to be read from the top.
  const view = JSON.stringify([filter, sort]);
  useEffect(() => {
    for (const list of board.current?.querySelectorAll('[role=list]') ?? []) list.scrollTop = 0;
  }, [view]);
  useBoardDrag(board);
  useLeadsInView({ board, columnIds, onShow: setPicked });
  useOpenLeadInView({ board, columnIds, openThreadId });
  useBoardKeys({ board, columnIds: shown.map(({ id }) => id), onOpen, onSwitch });
  return (
    <>
      {isEmpty && (
        <p className={classes.nobody}>
          <b>{t(hasFilter ? 'noneFits' : 'nobody')}</b> {!hasFilter && t('nobodyHint')}
        </p>
      )}
      {isNarrow && one && <StagePicker columns={columns} shown={one.id} onShow={setPicked} />}
      <div ref={board} className={classes.board}>
        {shown.map(({ id, name }) => (
          <Column
            key={id ?? 'none'}
            statusId={id}
            name={name}
            hasFilter={hasFilter}
            isAlone={isNarrow}
            isOneOfMany={shown.length > MANY}
            openThreadId={openThreadId}
            onOpen={onOpen}
          />
        ))}
      </div>
      {question}
    </>
  );
}
