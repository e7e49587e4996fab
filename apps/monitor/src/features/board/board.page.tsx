import { ApiError } from '@app/client/api.errors';
import type { BoardFault } from '@app/client/board/board-requests';
import type { StatusId } from '@app/client/board/board-views';
import type { BoardFilter } from '@app/contracts/board-events';
import { useMediaQuery } from '@mantine/hooks';
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { stageName } from '../../shared/leads/lead-names.format';
import { useLive } from '../../shared/live/live-context';
import { ErrorState, LoadingState } from '../../shared/ui/states.view';
import { useAiSwitch } from './card/ai-switch.hook';
import { useBoardDrag } from './board-drag.hook';
import { useBoardKeys } from './board-keys.hook';
import { useBoardState, useTotals } from './board-state.hook';
import classes from './board.module.css';
import { filterOf, type BoardSearch, type BoardSort } from './search/board-search';
import { boardWords } from './board.words';
import { cardFocus } from './card/card-focus';
import { Column } from './columns/column.view';
import { FirstVisit } from './first-visit.view';
import { useLeadsInView } from './columns/leads-in-view.hook';
import { MissingBoard } from './missing-board.view';
import { MoveNews } from './columns/move-news.view';
import { useOpenLeadInView } from './card/open-lead-in-view.hook';
import { StagePicker } from './columns/stage-picker.view';
import { Toolbar } from './toolbar.view';

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
