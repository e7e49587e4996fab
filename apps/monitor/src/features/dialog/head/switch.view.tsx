import { useId, useRef, useState, type RefObject } from 'react';
import type { Card } from '@app/contracts/board-events';
import { api } from '../../../shared/api/page-api';
import { countdown } from '../../../shared/format/time.format';
import { tellDone, tellError } from '../../../shared/notices/notice.store';
import { useClock } from '../../../shared/ui/clock.hook';
import { PassingButton } from '../../../shared/ui/buttons.view';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import { isolated } from '../../../shared/format/direction.format';
import { customerName } from '../../../shared/leads/lead-names.format';
import { headWords } from './head.words';
import classes from './switch.module.css';

/** What of a dialog decides who answers in it. */
export type Switched = Pick<
  Card,
  | 'message_handler'
  | 'ai_enabled'
  | 'takeover_until'
  | 'opted_out'
  | 'erased_at'
  | 'waiting'
  | 'last_message'
  | 'conducted_elsewhere'
>;

/**
 * Who answers now, and until when:
 * - erased: nobody, there is no customer any more;
 * - optedOut: nobody, but by an approved template;
 * - off: people, until somebody switches the agent on, whether a takeover runs besides or not;
 * - elsewhere: another AI on the number, until the dialog is passed or taken back;
 * - muted: people, as long as the lead is at this stage;
 * - takeover: people, until the agent returns by itself, or somebody has it return;
 * - on: the agent.
 */
type SwitchState =
  | { kind: 'erased' | 'optedOut' | 'off' | 'elsewhere' | 'muted' | 'on' }
  | { kind: 'takeover'; leftMs: number };

/** Says who answers now. What lasts longer comes first. @param isMuted the stage silences the agent */
export function switchState(dialog: Switched, isMuted: boolean, now: number): SwitchState {
  if (dialog.erased_at !== null) return { kind: 'erased' };
  if (dialog.opted_out) return { kind: 'optedOut' };
  if (!dialog.ai_enabled) return { kind: 'off' };
  if (dialog.conducted_elsewhere) return { kind: 'elsewhere' };
  if (isMuted) return { kind: 'muted' };
  const leftMs = takeoverLeft(dialog, now);
  return leftMs > 0 ? { kind: 'takeover', leftMs } : { kind: 'on' };
}

/** What becomes of the message that waits when the agent is switched on. */
type WaitingForecast = 'answers' | 'muted' | 'tooOld';

const DAY_MS = 24 * 3_600_000;

/** Null where nothing waits, or where switching on is of no use or not possible. */
export function waitingForecast(dialog: Switched, isMuted: boolean, now: number): WaitingForecast | null {
  const isSilenced = !dialog.ai_enabled || dialog.conducted_elsewhere || takeoverLeft(dialog, now) > 0;
  if (!dialog.waiting || !isSilenced || dialog.opted_out || dialog.erased_at !== null) return null;
  if (isMuted) return 'muted';
  const wroteAt = dialog.last_message && Date.parse(dialog.last_message.created_at);
  return wroteAt !== null && now - wroteAt > DAY_MS ? 'tooOld' : 'answers';
}

/** Milliseconds of a takeover that are left; 0: none runs; infinite: it does not end by itself. */
function takeoverLeft(dialog: Switched, now: number): number {
  if (!dialog.ai_enabled || dialog.message_handler === 'AI') return 0;
  const { takeover_until: until } = dialog;
  return until === null ? Infinity : Math.max(0, Date.parse(until) - now);
}

interface Props {
  card: Card;
  isMuted: boolean;
  /** The colleague who took over; null: the person here, or nobody who has a name. */
  colleague: string | null;
  control: RefObject<HTMLButtonElement | null>;
  onAnswering: () => void;
  /** What the answer tells, until the event comes. */
  onChanged: (fields: Partial<Card>) => void;
}

/** The agent's switch, who answers now and until when, and what becomes of the message that waits. */
export function AiSwitch({ card, isMuted, colleague, control, onAnswering, onChanged }: Props) {
  const t = headWords.use();
  const [id, hintId] = [useId(), useId()];
  const [asked, setAsked] = useState<boolean | null>(null);
  const now = useClock(card.takeover_until === null ? 60_000 : 1_000);
  const state = switchState(card, isMuted, now);
  const forecast = waitingForecast(card, isMuted, now);
  const isOn = asked ?? card.ai_enabled;
  const isFixed = state.kind === 'erased' || (state.kind === 'optedOut' && !isOn);

  /** Presses go out one after the other. */
  const line = useRef<Promise<void>>(Promise.resolve());
  const presses = useRef(0);
  const press = (isEnabled: boolean): void => {
    const number = (presses.current += 1);
    setAsked(isEnabled);
    line.current = line.current
      .then(() => set(isEnabled))
      .then(() => {
        if (presses.current === number) setAsked(null);
      });
  };
  const set = async (isEnabled: boolean): Promise<void> => {
    try {
      const waited = card.waiting;
      const name = isolated(customerName(card));
      const answer = await api.post('/api/v1/leads/set-ai', {
        body: { thread_id: card.thread_id, ai_enabled: isEnabled },
      });
      if (answer.answered_pending_message) {
        tellDone(t('answering', { name }));
        onAnswering();
      } else if (isEnabled && answer.changed && waited) tellDone(t('notAnswering', { name }));
      onChanged({
        ...{ ai_enabled: answer.ai_enabled, message_handler: answer.message_handler },
        ...(isEnabled ? { takeover_until: null, conducted_elsewhere: false } : {}),
      });
    } catch (error) {
      tellError(error);
    }
  };

  const isTakeover = state.kind === 'takeover';
  const isElsewhere = state.kind === 'elsewhere';
  const hint = forecast === null ? (isFixed ? t('cannot') : null) : forecastWords(t, forecast, state);
  return (
    <div className={classes.bar} data-state={state.kind}>
      <div className={classes.row}>
        <button
          ref={control}
          id={id}
          type="button"
          role="switch"
          className={classes.switch}
          aria-checked={isOn}
          aria-label={t('name')}
          aria-describedby={hint === null || state.kind === 'erased' ? undefined : hintId}
          aria-disabled={isFixed || undefined}
          onClick={() => !isFixed && press(!isOn)}
        >
          <span className={classes.knob} aria-hidden />
        </button>
        <div className={classes.words} data-switch-words>
          <CustomerText text={sentence(t, state, colleague)} component="span" />
        </div>
        {(isTakeover || isElsewhere) && (
          <PassingButton
            size="compact-sm"
            variant="default"
            disabled={asked !== null}
            next={() => control.current}
            onClick={() => press(true)}
          >
            {t(isTakeover ? 'returnNow' : 'takeBack')}
          </PassingButton>
        )}
      </div>
      {card.conducted_elsewhere && state.kind !== 'erased' && (
        <div className={classes.hint} data-elsewhere>
          {t('elsewhereHint')}
        </div>
      )}
      {hint !== null && state.kind !== 'erased' && (
        <div id={hintId} className={classes.hint} data-switch-forecast={forecast ?? undefined}>
          {hint}
        </div>
      )}
    </div>
  );
}

function forecastWords(t: typeof headWords.say, forecast: WaitingForecast, state: SwitchState): string {
  if (forecast === 'answers') {
    if (state.kind !== 'takeover') return t('answers');
    return t(state.leftMs === Infinity ? 'answersReturnKept' : 'answersReturn');
  }
  return t(forecast === 'muted' ? 'forecastMuted' : 'tooOld');
}

/** The sentence beside the switch. */
function sentence(t: typeof headWords.say, state: SwitchState, colleague: string | null): string {
  if (state.kind !== 'takeover') return t(state.kind);
  const name = colleague === null ? null : isolated(colleague);
  if (state.leftMs === Infinity) return name === null ? t('takeoverKept') : t('takeoverKeptOf', { name });
  const left = countdown(state.leftMs);
  return name === null ? t('takeover', { left }) : t('takeoverOf', { left, name });
}
