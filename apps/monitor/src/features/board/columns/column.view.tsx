import { dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import type { ColumnView, StatusId } from '@app/client/board/board-views';
import { memo, useEffect, useRef, useState, type RefObject } from 'react';
import { isolated } from '../../../shared/format/direction.format';
import { wholeNumber } from '../../../shared/format/number.format';
import { useLive } from '../../../shared/live/live-context';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import { useColumn } from '../board-state.hook';
import { boardWords } from '../board.words';
import { CardList } from '../card/card-list.view';
import classes from './column.module.css';

interface Props {
  statusId: StatusId;
  name: string;
  hasFilter: boolean;
  /** The choice of the stage stands right above, and says the same. */
  isAlone: boolean;
  /** With many stages, only the columns near the view draw their cards. */
  isOneOfMany: boolean;
  openThreadId: string | null;
  onOpen: (threadId: string) => void;
}

/** A stage and its leads. Its order stands still while the pointer or the focus is in it. */
export const Column = memo(function Column(props: Props) {
  const { statusId, name, hasFilter, isAlone, isOneOfMany, openThreadId, onOpen } = props;
  const t = boardWords.use();
  const { store } = useLive();
  const column = useColumn(statusId);
  const section = useRef<HTMLElement>(null);
  const isFar = useIsFar(section, isOneOfMany);
  useDropTarget(section, statusId);
  useEffect(
    () => () => {
      store.release(statusId, 'pointer');
      store.release(statusId, 'focus');
    },
    [store, statusId],
  );
  // A card that goes out of the document takes the focus with it, and no event tells of that.
  useEffect(() => {
    if (!section.current?.contains(document.activeElement)) store.release(statusId, 'focus');
  }, [column, store, statusId]);
  if (!column) return null;
  return (
    <section
      ref={section}
      className={classes.column}
      aria-label={name}
      onPointerEnter={({ pointerType }) => pointerType !== 'touch' && store.hold(statusId, 'pointer')}
      onPointerLeave={() => store.release(statusId, 'pointer')}
      onFocus={() => store.hold(statusId, 'focus')}
      onBlur={({ relatedTarget, currentTarget }) => {
        if (!currentTarget.contains(relatedTarget)) store.release(statusId, 'focus');
      }}
    >
      <ColumnHead column={column} name={name} isAlone={isAlone} />
      <CardList
        column={column}
        name={name}
        isFar={isFar}
        openThreadId={column.ids.includes(openThreadId ?? '') ? openThreadId : null}
        onOpen={onOpen}
      />
      {column.ids.length === 0 && column.nextCursor === null && (
        <p className={classes.empty}>{t(hasFilter ? 'emptyFiltered' : 'empty')}</p>
      )}
    </section>
  );
});

interface HeadProps extends Pick<Props, 'name' | 'isAlone'> {
  column: ColumnView;
}

function ColumnHead({ column: { statusId, total, changed }, name, isAlone }: HeadProps) {
  const t = boardWords.use();
  const { store } = useLive();
  return (
    <header className={classes.head}>
      {/* Screen readers go by headings. */}
      <h2 className={isAlone ? 'll-hidden' : classes.name}>
        <CustomerText text={name} />
      </h2>
      <span className={isAlone ? 'll-hidden' : classes.count} data-count={total}>
        <span aria-hidden>{wholeNumber(total)}</span>
        <span className="ll-hidden">{t('leads', { count: total })}</span>
      </span>
      {changed > 0 && (
        <button
          type="button"
          className={classes.changed}
          title={t('changedHint', { stage: isolated(name) })}
          onClick={() => store.resort(statusId)}
        >
          {t('changed', { count: changed })}
        </button>
      )}
    </header>
  );
}

/** Marked without drawing anything anew: a drag passes many columns. */
function useDropTarget(section: RefObject<HTMLElement | null>, statusId: StatusId): void {
  useEffect(() => {
    const element = section.current;
    if (!element) return;
    const mark = (isOver: boolean): void => void element.toggleAttribute('data-over', isOver);
    return dropTargetForElements({
      element,
      getData: () => ({ statusId }),
      onDragEnter: () => mark(true),
      onDragLeave: () => mark(false),
      onDrop: () => mark(false),
    });
  }, [section, statusId]);
}

const NEAR = '0px 600px';

function useIsFar(section: RefObject<HTMLElement | null>, isAsked: boolean): boolean {
  const [isFar, setFar] = useState(isAsked);
  useEffect(() => {
    const element = section.current;
    if (!element || !isAsked) return setFar(false);
    const observer = new IntersectionObserver(([entry]) => setFar(!entry?.isIntersecting), {
      root: element.parentElement,
      rootMargin: NEAR,
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [section, isAsked]);
  return isFar;
}
