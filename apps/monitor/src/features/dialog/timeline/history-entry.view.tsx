import type { HistoryEntryAnswer } from '@app/client/api-types';
import { isOfMessenger } from '@app/contracts/lead.words';
import { memo } from 'react';
import { isolated } from '../../../shared/format/direction.format';
import { noteOf } from '../../../shared/messages/provider-rule.format';
import {
  IconArrowRight,
  IconBell,
  IconBan,
  IconPencil,
  IconPoint,
  IconRobot,
  IconRoute,
  IconTrash,
  IconUser,
} from '../../../shared/ui/icons.view';
import { clockTime } from '../../../shared/format/time.format';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import classes from './timeline.module.css';
import { historyWords } from './history.words';

type Who = Pick<HistoryEntryAnswer, 'by' | 'actor'>;

/** Who brought something about; null: the service by itself. */
function whoDid({ by, actor }: Who): string | null {
  if (actor?.type === 'agent' || (!actor && by === 'AI')) return historyWords.say('agent');
  if (actor?.type === 'scenario') return historyWords.say('scenario', { name: isolated(actor.name) });
  if (actor) return isolated(actor.name);
  if (by === 'USER') return historyWords.say('customer');
  if (by === 'OPERATOR') return historyWords.say('phoneApp');
  return by === 'PROVIDER' ? historyWords.say('messenger') : null;
}

const t = historyWords.say;

/** What happened, and who did it, in one sentence. */
function historySentence(entry: HistoryEntryAnswer): string {
  const [what, note] = [happened(entry), noteIn(entry)];
  const who = entry.type === 'scenario' ? causeOf(entry) : whoDid(entry);
  const said = note === null ? what : `${what}: ${note}`;
  return who === null ? said : t('by', { what: said, who });
}

function happened({ type, from, to, actor }: HistoryEntryAnswer): string {
  switch (type) {
    case 'status': {
      const [before, after] = [named(from), named(to)];
      if (after === null) return t('stageCleared', { from: before ?? '' });
      return before === null ? t('stageSet', { to: after }) : t('stageMoved', { from: before, to: after });
    }
    case 'ai':
      return to === true ? t('aiOn') : t('aiOff');
    case 'handler':
      return to === 'OPERATOR' ? t('takeoverBegan') : t('takeoverEnded');
    case 'opt_out':
      return to === true ? t('unsubscribed') : t('subscribed');
    case 'reply_discarded':
      return t('discarded', { why: word('why', to) });
    case 'scenario':
      return scenarioPassed(to, isolated(actor?.name ?? t('unnamed')));
    case 'attention':
      return to === null ? t('attentionCleared') : t('attention', { why: word('asked', to) });
    case 'model_error':
      return t('modelError');
    case 'name':
      return typeof to === 'string' ? t('named', { name: isolated(to) }) : t('nameTaken');
    case 'assignee':
      return to === null ? t('unassigned') : t('assigned', { name: named(to) ?? '' });
    case 'message_edited':
      return t('messageEdited', { text: isolated(typeof from === 'string' ? from : '') });
    case 'message_deleted':
      return t('messageDeleted');
    case 'erased':
      return t('erased');
    default:
      return t('other', { type });
  }
}

function scenarioPassed(to: unknown, name: string): string {
  if (to === 'started') return t('runStarted', { name });
  if (to === 'done') return t('runDone', { name });
  return to === 'failed' ? t('runFailed', { name }) : t('runCancelled', { name });
}

/** The provider's own words, where the sentence has its rule; null: there are none. The message that it refused has them, too. */
function wordsBehind(entry: HistoryEntryAnswer): string | null {
  const { type, to } = entry;
  return type === 'attention' && !isOfMessenger(to) ? asking(entry).behind : null;
}

const asking = ({ to, note, provider_code: number }: HistoryEntryAnswer): ReturnType<typeof noteOf> =>
  noteOf({ reason: to, note: note ?? null, provider_code: number ?? null });

/** Why a run ended, that another dialog of the customer brought it, or what the agent or the scenario says to the person. */
function noteIn(entry: HistoryEntryAnswer): string | null {
  const { type, note, to } = entry;
  if (!note || (type === 'attention' && isOfMessenger(to))) return null;
  if (type === 'attention') return isolated(asking(entry).said ?? note);
  if (type === 'scenario') return word('reason', note);
  return (type === 'ai' || type === 'opt_out') && note === 'same_customer'
    ? t('sameCustomer')
    : isolated(note);
}

/** Of a run: who started or ended it. */
function causeOf({ cause }: HistoryEntryAnswer): string | null {
  if (!cause) return null;
  return cause.type === 'agent' ? t('agent') : isolated(cause.name);
}

/** A word of the service in the language of the page, where there is one for it. */
function word(group: 'why' | 'reason' | 'asked', value: unknown): string {
  const key = `${group}_${String(value)}`;
  return historyWords.has(key) ? t(key) : isolated(String(value));
}

const named = (thing: HistoryEntryAnswer['to']): string | null =>
  typeof thing === 'object' && thing !== null ? isolated(thing.name) : null;

const ICONS: Record<string, typeof IconPoint> = {
  status: IconArrowRight,
  ai: IconRobot,
  handler: IconUser,
  opt_out: IconBan,
  reply_discarded: IconRobot,
  scenario: IconRoute,
  attention: IconBell,
  model_error: IconRobot,
  name: IconUser,
  assignee: IconUser,
  erased: IconBan,
  message_edited: IconPencil,
  message_deleted: IconTrash,
};

/** Something that happened, between what was said. */
export const HistoryEntry = memo(function HistoryEntry({ entry }: { entry: HistoryEntryAnswer }) {
  historyWords.use();
  const Icon = ICONS[entry.type] ?? IconPoint;
  return (
    <div className={classes.happened} data-history-seq={entry.seq} data-history-type={entry.type}>
      <Icon size={14} aria-hidden />
      <span title={wordsBehind(entry) ?? undefined}>
        <CustomerText text={historySentence(entry)} component="span" />
      </span>
      <time dateTime={entry.at}>{clockTime(entry.at)}</time>
    </div>
  );
});
