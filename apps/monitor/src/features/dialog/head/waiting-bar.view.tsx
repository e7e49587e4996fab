import { Button } from '@mantine/core';
import type { Card } from '@app/contracts/board-events';
import { useState } from 'react';
import { api } from '../../../shared/api/page-api';
import { isolated } from '../../../shared/format/direction.format';
import { customerName } from '../../../shared/leads/lead-names.format';
import { leadWords } from '../../../shared/leads/lead.words';
import { tellDone, tellError, tellFailed } from '../../../shared/notices/notice.store';
import { useClock } from '../../../shared/ui/clock.hook';
import { usePassedFocus } from '../../../shared/ui/focus.hook';
import { isWindowOpen } from '../dialog.hook';
import { headWords } from './head.words';
import classes from './switch.module.css';

/** Reasons that a call of a person overcomes. */
const AGENT_MAY: ReadonlySet<string> = new Set(['agent_off', 'takeover', 'model_failed', 'hourly_limit']);

interface Props {
  card: Card;
  isMuted: boolean;
  onAnswering: () => void;
}

/** Why the customer still waits, and what helps. */
export function WaitingBar({ card, isMuted, onAnswering }: Props) {
  const t = headWords.use();
  const ofLeads = leadWords.use();
  const [isBusy, setBusy] = useState(false);
  const now = useClock(10_000);
  const focus = usePassedFocus(() => document.querySelector<HTMLElement>('[data-dialog-of] [role=switch]'));
  const reason = card.waiting_reason;
  if (reason === null || card.erased_at !== null) return null;
  const mayReply =
    AGENT_MAY.has(reason) && !card.opted_out && !isMuted && isWindowOpen(card, now) && canTakeUp(card);

  const reply = async (): Promise<void> => {
    setBusy(true);
    try {
      const name = isolated(customerName(card));
      if (await answerWith(card)) {
        tellDone(t('replying', { name }));
        onAnswering();
      } else tellFailed(t('notReplying', { name }));
    } catch (error) {
      tellError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className={classes.waits} data-waiting-reason={reason} {...focus}>
      <div className={classes.words}>
        {`${t('waits')} ${ofLeads(`waits_${reason}`)}. `}
        <span className={classes.helps}>{t(card.opted_out ? 'helps_opted_out' : `helps_${reason}`)}</span>
      </div>
      {mayReply && (
        <Button size="compact-sm" variant="default" disabled={isBusy} onClick={() => void reply()}>
          {t('reply')}
        </Button>
      )}
    </div>
  );
}

const isAgents = ({ message_handler: handler, conducted_elsewhere: elsewhere }: Card): boolean =>
  handler === 'AI' && !elsewhere;

/** Of a lead at no stage a call takes up nothing where the agent is on already. */
const canTakeUp = (card: Card): boolean => !(isAgents(card) && card.lead_status === null);

/** Has the agent take up what waits: where it is on already, by a move to the present stage. @returns whether it answers */
async function answerWith(card: Card): Promise<boolean> {
  const { thread_id, lead_status: stage } = card;
  if (!isAgents(card) || stage === null) {
    const body = { thread_id, ai_enabled: true };
    return (await api.post('/api/v1/leads/set-ai', { body })).answered_pending_message;
  }
  const body = {
    thread_id,
    status_id: stage.id,
    expected_status_id: stage.id,
    answer_pending_message: true,
  };
  return (await api.post('/api/v1/leads/set-status', { body })).answered_pending_message;
}
