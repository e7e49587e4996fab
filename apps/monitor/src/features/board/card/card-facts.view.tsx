import { useTimeWords } from '../../../shared/ui/clock.hook';
import { IconAlertTriangle } from '../../../shared/ui/icons.view';
import { noteOf } from '../../../shared/messages/provider-rule.format';
import type { ForeignMove } from '@app/client/board/board-views';
import type { Card } from '@app/contracts/board-events';
import { spanSince, countdown } from '../../../shared/format/time.format';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import { useIsSilent } from '../board-state.hook';
import { boardWords } from '../board.words';
import classes from './card.module.css';
import { actorName } from '../../../shared/leads/lead-names.format';
import { leadWords } from '../../../shared/leads/lead.words';

const SECOND = 1_000;
const HALF_MINUTE = 30_000;
/** After that it is no news any more; the dialog's history has it. */
const NEWS_MS = 10 * 60_000;

/** Who answers now: the AI, an operator until a time or until the dialog is given back, people as this stage has it, nobody, or nobody may. */
export function Handler({ card }: { card: Card }) {
  const t = boardWords.use();
  const isSilent = useIsSilent(card.lead_status?.id ?? null);
  if (card.opted_out) return <Chip tone="danger" text={t('optedOut')} hint={t('optedOutHint')} />;
  if (!card.ai_enabled) return <Chip tone="plain" text={t('off')} hint={t('offHint')} />;
  if (isSilent) return <Chip tone="plain" text={t('silent')} hint={t('silentHint')} />;
  if (card.message_handler === 'AI') return <Chip tone="accent" text={t('ai')} hint={t('aiHint')} />;
  if (card.takeover_until === null)
    return <Chip tone="info" text={t('takeoverKept')} hint={t('takeoverKeptHint')} />;
  return <TakeoverLeft until={card.takeover_until} />;
}

function TakeoverLeft({ until }: { until: string }) {
  const t = boardWords.use();
  const left = useTimeWords(SECOND, (now) => countdown(Date.parse(until) - now));
  return <Chip tone="info" text={t('takeover', { left })} hint={t('takeoverHint')} />;
}

const useSpanSince = (since: string): string | null =>
  useTimeWords(HALF_MINUTE, (now) => spanSince(since, now));

/** How long the customer has waited, and why. */
export function Waiting({ since, reason }: { since: string; reason: Card['waiting_reason'] }) {
  const t = boardWords.use();
  const ofLeads = leadWords.use();
  const span = useSpanSince(since);
  const hint = span === null ? t('waitsNowHint') : t('waitingForHint', { span });
  return (
    <Chip
      tone="waiting"
      text={span === null ? t('waitsNow') : t('waitingFor', { span })}
      hint={reason === null ? hint : `${hint}. ${ofLeads(`waits_${reason}`)}`}
      reason={reason}
    />
  );
}

/** Reasons that a card tells otherwise: by who answers, and by why a person is asked for. */
const TOLD_BY_HANDLER: ReadonlySet<string> = new Set(['agent_off', 'stage_mutes', 'agent_due']);
const TOLD_BY_ATTENTION: Partial<Record<NonNullable<Card['waiting_reason']>, string>> = {
  model_failed: 'model',
  hourly_limit: 'limit',
  window_closed: 'too_old',
  number_down: 'channel',
  takeover: 'nobody_answered',
};

/** Why the customer still waits, where nothing else on the card says it. */
export function WhyWaiting({ card }: { card: Card }) {
  const t = leadWords.use();
  const reason = card.waiting_reason;
  const runs = reason === 'takeover' && card.message_handler === 'OPERATOR';
  if (reason === null || runs || TOLD_BY_HANDLER.has(reason)) return null;
  if (card.attention !== null && card.attention.reason === TOLD_BY_ATTENTION[reason]) return null;
  return <div className={classes.why}>{t(`waits_${reason}`)}</div>;
}

/** Without a stage: since it was cleared, or, where there was none, since the dialog began. */
export function AgeInStage({ card }: { card: Card }) {
  const t = boardWords.use();
  const span = useSpanSince(card.status_set_at ?? card.status_cleared_at ?? card.created_at);
  return span === null ? (
    <span title={t('inStageNow')}>{t('now')}</span>
  ) : (
    <span title={t('inStageFor', { span })}>{span}</span>
  );
}

/** Who else has moved it here, for a while. */
export function MovedBy({ move }: { move: ForeignMove }) {
  const t = boardWords.use();
  const who = useTimeWords(HALF_MINUTE, (now) =>
    now - Date.parse(move.at) > NEWS_MS ? '' : t('movedHereBy', { who: actorName(move.by) }),
  );
  if (who === '') return null;
  return (
    <div className={classes.moved}>
      <CustomerText text={who} />
    </div>
  );
}

/** Why a person is asked for. The note of a model or a scenario is text of theirs; a refusal is told by the messenger's rule. */
export function AttentionLine({ attention }: { attention: NonNullable<Card['attention']> }) {
  const t = leadWords.use();
  const { reason } = attention;
  const key = `attention_${reason}`;
  const { said, behind } = noteOf(attention);
  return (
    <div className={classes.attention} title={behind ?? undefined}>
      <IconAlertTriangle size={14} aria-hidden className={classes.icon} />
      <span className={classes.cut}>
        {leadWords.has(key) ? t(key) : reason}
        {said !== null && (
          <>
            {': '}
            <CustomerText text={said} />
          </>
        )}
      </span>
    </div>
  );
}

interface ChipProps {
  tone: 'accent' | 'plain' | 'info' | 'waiting' | 'danger';
  text: string;
  hint: string;
  /** Of one who waits. */
  reason?: string | null;
}

function Chip({ tone, text, hint, reason }: ChipProps) {
  return (
    <span className={classes.chip} data-tone={tone} data-waiting-reason={reason ?? undefined} title={hint}>
      {text}
    </span>
  );
}
