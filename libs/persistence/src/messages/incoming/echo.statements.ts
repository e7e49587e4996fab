import { passesTo, takeoverAfter } from '../../threads/conductor.rules';
import {
  ASK_FOR_NOBODY,
  beginTakeover,
  isNewestOfControl,
  messageOfOurs,
  NOBODY_ANSWERED,
  onlyWhere,
  takeBack,
  type Changes,
} from '../../threads/thread.rules';
import { ENTRIES } from '../../threads/thread-log.statements';
import { incomingStatement } from './incoming.statements';
import { previewOf } from '../dialog/message-columns';
import { asLast, IS_LAST_INBOUND, IS_NEWEST } from './incoming-kind';

/** What it changes as every message of ours, where it is the newest. */
const COUNTED = messageOfOurs('b', {
  role: `'OPERATOR'`,
  preview: previewOf('b.text'),
  at: 'b.arrived_at',
  count: 'b.answers::int',
});

const ANSWERED: Changes = {
  answer_count: COUNTED.answer_count ?? '',
  waiting_message_id: 'CASE WHEN NOT b.answers THEN b.waiting_message_id END',
  waiting_at: 'CASE WHEN NOT b.answers THEN b.waiting_at END',
  last_activity_at: 'b.at',
  last_outbound_at:
    'CASE WHEN b.quiet THEN b.last_outbound_at ELSE greatest(b.last_outbound_at, b.arrived_at) END',
};

const TAKEN_OVER = takeoverAfter('operatorWrites', 'b', 'b.at', beginTakeover('b', 'b.at', 'b.account_id'));

/**
 * What a person of ours wrote in the phone's own app: it answers all that arrived before it, and takes the thread over.
 * Off stays off.
 */
export const ECHO = incomingStatement('incoming-echo', {
  given: {},
  role: `'OPERATOR'::text`,
  status: `'delivered'`,
  createdAt: 'b.arrived_at',
  changes: 'true',
  facts: {
    is_last: IS_NEWEST,
    answers: IS_LAST_INBOUND,
    was_ai: `NOT b.quiet AND ${passesTo('operatorWrites', 'operator', 'b', 'b.at')}`,
  },
  moves: {
    version: 'b.version + 1 + b.fresh::int + b.was_ai::int',
    takeover_until: `CASE WHEN b.quiet THEN b.takeover_until ELSE ${TAKEN_OVER} END`,
    ai_epoch: 'b.ai_epoch + (NOT b.quiet)::int',
    ...ANSWERED,
    ...asLast('b.is_last', `'OPERATOR'`, 'b.arrived_at'),
    unread_count: 'CASE WHEN b.answers THEN 0 ELSE b.unread_count END',
    ...onlyWhere('NOT b.quiet', 'b', ASK_FOR_NOBODY),
    ...onlyWhere(`NOT b.quiet AND ${isNewestOfControl('b', 'b.written_at')}`, 'b', takeBack('b.written_at')),
  },
  entries: [
    { ...ENTRIES.message('t.message_id'), step: 't.fresh::int' },
    { ...ENTRIES.handedToPerson, step: '1 + t.fresh::int', when: 't.was_ai' },
  ],
});

/**
 * What another AI on the number wrote: it answers all that arrived before it, and takes nothing over. The agent is silent
 * while it conducts the dialog. Nobody has to answer any more.
 */
export const STANDBY_ECHO = incomingStatement('incoming-standby-echo', {
  given: {},
  role: `'SYSTEM'::text`,
  status: `'delivered'`,
  createdAt: 'b.arrived_at',
  changes: 'true',
  facts: {
    is_last: IS_NEWEST,
    answers: IS_LAST_INBOUND,
    is_elsewhere: isNewestOfControl('b', 'b.written_at'),
  },
  moves: {
    version: 'b.version + 1 + b.fresh::int',
    conducted_elsewhere: 'b.is_elsewhere OR b.conducted_elsewhere',
    control_reported_at:
      'CASE WHEN b.is_elsewhere THEN greatest(b.control_reported_at, b.written_at) ELSE b.control_reported_at END',
    ai_epoch: 'b.ai_epoch + (NOT b.quiet OR b.is_elsewhere AND NOT b.conducted_elsewhere)::int',
    ...ANSWERED,
    ...onlyWhere(`b.answers AND b.attention = ${NOBODY_ANSWERED}`, 'b', ASK_FOR_NOBODY),
    ...asLast('b.is_last', `'SYSTEM'`, 'b.arrived_at'),
  },
  entries: [{ ...ENTRIES.message('t.message_id'), step: 't.fresh::int' }],
});
