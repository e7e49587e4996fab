import type { CardView } from '@app/client/board/board-views';
import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { useSignedIn } from '../../../shared/session/session.store';
import { wholeNumber } from '../../../shared/format/number.format';
import { presentLanguage } from '../../../shared/words/language.store';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import { AgeInStage, AttentionLine, Handler, MovedBy, Waiting, WhyWaiting } from './card-facts.view';
import { isolated } from '../../../shared/format/direction.format';
import { channelName, customerName, isNamedByPhone } from '../../../shared/leads/lead-names.format';
import { boardWords } from '../board.words';
import classes from './card.module.css';

/** Who wrote a message. */
function authorName(role: string): string {
  if (role === 'USER') return boardWords.say('byCustomer');
  if (role === 'AI') return boardWords.say('byAi');
  return role === 'OPERATOR' ? boardWords.say('byOperator') : boardWords.say('bySystem');
}

/** What of a long text a card needs at most. */
const SHOWN_LENGTH = 160;

interface Props {
  view: CardView;
}

/** What a card says of its lead. It is drawn anew when the card changes, and never because of its place. */
export const CardContent = memo(function CardContent({ view }: Props) {
  const t = boardWords.use();
  const { card } = view;
  const unread = card.unread_count;
  return (
    <>
      <div className={classes.head}>
        <Link
          to="/dialogs/$threadId"
          params={{ threadId: card.thread_id }}
          search={true}
          className={classes.name}
          draggable={false}
          tabIndex={-1}
        >
          <CustomerText className={classes.begins} text={customerName(card)} isPhone={isNamedByPhone(card)} />
        </Link>
        {unread > 0 && (
          <span className={classes.unread}>
            <span aria-hidden>{wholeNumber(unread)}</span>
            <span className="ll-hidden">{t('unread', { count: unread })}</span>
          </span>
        )}
      </div>
      <LastMessage view={view} />
      {card.attention !== null && <AttentionLine attention={card.attention} />}
      {card.waiting && <WhyWaiting card={card} />}
      <Facts card={card} />
      <News view={view} />
    </>
  );
});

function LastMessage({ view: { card } }: Props) {
  const t = boardWords.use();
  const last = card.last_message;
  const text = last?.lines?.[presentLanguage()] ?? last?.text ?? '';
  if (card.erased_at !== null) return null;
  if (last === null) return <div className={classes.last}>{t('noMessages')}</div>;
  return (
    <div className={classes.last}>
      <span className={classes.author}>{`${authorName(last.role)}: `}</span>
      {text === '' ? (
        t('withoutWords')
      ) : (
        <CustomerText className={classes.begins} text={text.slice(0, SHOWN_LENGTH)} />
      )}
    </div>
  );
}

/** Who answers, how long it waits, and the lesser facts: in one line where there is room for it. */
function Facts({ card }: { card: CardView['card'] }) {
  const t = boardWords.use();
  return (
    <div className={classes.facts}>
      <Handler card={card} />
      {card.waiting && card.waiting_since !== null && (
        <Waiting since={card.waiting_since} reason={card.waiting_reason} />
      )}
      <div className={classes.lesser}>
        <AgeInStage card={card} />
        <span className={classes.cut} title={channelName(card.channel)}>
          {channelName(card.channel, 'short_channel')}
        </span>
        {card.assignee !== null && (
          <span className={classes.assignee} title={t('assignedTo', { name: isolated(card.assignee.name) })}>
            <CustomerText text={card.assignee.name} />
          </span>
        )}
      </div>
    </div>
  );
}

/** What is so for a while: who has it open, who has moved it here. */
function News({ view: { movedBy, present, pending } }: Props) {
  const t = boardWords.use();
  const { user } = useSignedIn();
  const others = present.filter(({ id }) => id !== user.id);
  const typing = others.filter((other) => other.typing);
  const shown = typing.length > 0 ? typing : others;
  const names = shown.map(({ name }) => isolated(name)).join(', ');
  const isOne = shown.length === 1;
  return (
    <>
      {shown.length > 0 && (
        <CustomerText
          component="div"
          className={classes.present}
          text={t(typing.length > 0 ? (isOne ? 'types' : 'type') : isOne ? 'looks' : 'look', { names })}
        />
      )}
      {movedBy !== null && <MovedBy move={movedBy} />}
      {pending && <span className="ll-hidden">{t('pending')}</span>}
    </>
  );
}
