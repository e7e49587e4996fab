import type { CardView, StatusId } from '@app/client/board/board-views';
import { Menu } from '@mantine/core';
import { useEffect, useState, type Ref } from 'react';
import { useLive } from '../../../shared/live/live-context';
import { useBoardState } from '../board-state.hook';
import { boardWords } from '../board.words';
import { cardFocus } from './card-focus';
import { cardHand, tellHappened } from './card-hand.store';
import classes from './card.module.css';
import { isolated } from '../../../shared/format/direction.format';
import { customerName, stageName } from '../../../shared/leads/lead-names.format';
import { moveLead } from '../../../shared/leads/lead-moves';
import { StageItem } from '../../../shared/leads/stage-item.view';

/** No higher than the room there is: else the page behind it would have to be scrolled for the last stages. */
const FIT = {
  size: {
    padding: 4,
    apply: ({
      availableHeight,
      elements,
    }: {
      availableHeight: number;
      elements: { floating: HTMLElement };
    }) => elements.floating.style.setProperty('--room', `${availableHeight}px`),
  },
};

/** Where a lead can be moved without dragging. It stands while the menu is open, and so does its card. */
export function CardMenu({ view }: { view: CardView }) {
  const t = boardWords.use();
  const { store } = useLive();
  const { statuses } = useBoardState();
  const [answersWaiting, setAnswersWaiting] = useState(false);
  const { card } = view;
  const threadId = card.thread_id;
  const from = card.lead_status?.id ?? null;

  useEffect(() => {
    store.pin(threadId);
    return () => tellHappened(store.card(threadId)?.card, store.unpin(threadId));
  }, [store, threadId]);

  const close = (): void => {
    cardHand.openMenu(null);
    // After the menu has gone: the card may stand in another column by then.
    requestAnimationFrame(() => cardFocus.want(threadId));
  };
  const choose = (to: StatusId): void => {
    if (to !== from || answersWaiting) void moveLead(store, { threadId, to, from, answersWaiting });
    close();
  };

  return (
    <Menu
      opened
      onChange={(isOpen) => !isOpen && close()}
      position="bottom-end"
      returnFocus={false}
      middlewares={FIT}
      transitionProps={{ duration: 0 }}
      // Within the page's landmark, as the card is.
      portalProps={{ target: '#content' }}
    >
      <Menu.Target>
        <Anchor />
      </Menu.Target>
      <Menu.Dropdown
        className={classes.dropdown}
        aria-label={t('moveTo', { name: customerName(card) })}
        aria-labelledby={undefined}
      >
        <Menu.Label>{t('moveTo', { name: isolated(customerName(card)) })}</Menu.Label>
        {card.waiting && (
          <>
            <Menu.CheckboxItem
              value="answer"
              checked={answersWaiting}
              onChange={() => setAnswersWaiting(!answersWaiting)}
            >
              {t('answerWaiting')}
            </Menu.CheckboxItem>
            <Menu.Divider />
          </>
        )}
        {[{ id: null, name: stageName(null) }, ...statuses].map(({ id, name }) => (
          <StageItem
            key={id ?? 'none'}
            id={id}
            name={name}
            isPresent={id === from}
            onChoose={() => choose(id)}
          />
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Where the menu stands. What the menu would say of its target is said of the button. */
function Anchor({ ref }: { ref?: Ref<HTMLSpanElement> }) {
  return <span ref={ref} className={classes.anchor} aria-hidden />;
}
