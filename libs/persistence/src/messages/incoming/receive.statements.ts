import { conductAfter } from '../../threads/conductor.rules';
import {
  ANSWERABLE_FOR,
  askForOperator,
  countsAsAnswer,
  customerReplied,
  customerWrites,
  isNewestOfControl,
  isWaiting,
  mayBeAnswered,
  MISSED_CALL,
  NOBODY_ANSWERED,
  onlyWhere,
  stageLetsAnswer,
  takeoverRuns,
} from '../../threads/thread.rules';
import { ENTRIES } from '../../threads/thread-log.statements';
import { isNewerOptRequest } from './arrival-time';
import { incomingStatement } from './incoming.statements';
import { type IncomingKind, asLast, IS_LAST_INBOUND, IS_NEWEST, IS_OPEN } from './incoming-kind';
import { isSaid } from '../../threads/message-kinds';

/** How long a customer who goes on writing can move a reply back, in quiet times. */
const QUIET_TIMES_MAX = 5;

/** A missed call asks for a person, who calls back, and waits for no answer in writing. */
const IS_CALL = `b.type = 'call'`;

/** Who gets a message that is written so soon after the other AI was given the dialog may have been decided before. */
const DECIDED_BEFORE = `interval '3 seconds'`;

/**
 * Another AI conducts the dialog, and yet the message comes to us: the report that the dialog was passed to us may be lost,
 * so that neither AI answers.
 */
const MAY_BE_LOST = `coalesce(NOT b.standby AND b.conducted_elsewhere AND b.written_at > b.control_reported_at + ${DECIDED_BEFORE}
             AND b.ai_enabled AND NOT b.opted_out AND NOT ${takeoverRuns('b', 'b.at')}
             AND b.written_at < b.control_reported_at + ${ANSWERABLE_FOR}
             AND b.opt_request IS NULL AND b.attention IS NULL
             AND ${IS_OPEN} AND ${IS_LAST_INBOUND}, false)`;

const IS_OPT_REQUEST = `b.opt_request IS NOT NULL AND ${isNewerOptRequest('b', 'b.written_at', 'b.arrived_at')}`;

/**
 * Who of ours spoke last since the message arrived. Where another message of the customer is the thread's last one, the
 * row does not tell any more.
 */
const LAST_OF_OURS = `CASE WHEN b.last_message_role = 'USER' THEN (
             SELECT m.role FROM messages m
              WHERE m.account_id = b.account_id AND m.thread_id = b.id AND m.created_at >= b.arrived_at AND m.role <> 'USER' AND ${isSaid('m')}
                AND m.status NOT IN ('failed', 'dropped', 'queued')
              ORDER BY m.created_at DESC, m.id DESC LIMIT 1) ELSE b.last_message_role END`;

/**
 * How many of ours count that were stored since the message arrived, as the statement's snapshot has them. It is read
 * only where the row says that there is one, hence only for a message that is handled late.
 */
const OURS_SINCE = `(SELECT count(*)::int FROM messages m
              WHERE m.account_id = b.account_id AND m.thread_id = b.id AND m.role <> 'USER' AND ${isSaid('m')} AND ${countsAsAnswer('m.status')}
                AND m.created_at >= b.stands_at)`;

/** Each message of ours that is stored, or fails, changes the version of its thread. */
const SEES_OURS = `(b.fresh OR NOT (${IS_LAST_INBOUND}) OR (${IS_OPEN}) OR b.version = (
             SELECT s.version FROM threads s WHERE s.account_id = b.account_id AND s.id = b.id))`;

/** Of each message: what it asks for, `stop`, `start` or null, and whether another AI conducts its dialog. Of all: the quiet time, null where there is no model. */
const KIND: IncomingKind<'optRequests' | 'standbys', 'quietMs'> = {
  given: {
    optRequests: { column: 'opt_request', type: 'text' },
    standbys: { column: 'standby', type: 'boolean' },
  },
  scalars: ['quietMs'],
  role: `'USER'::text`,
  status: `'received'`,
  createdAt: 'b.stands_at',
  standsAt: `CASE WHEN b.last_message_at >= b.arrived_at AND ${LAST_OF_OURS} = 'AI' THEN b.at ELSE b.arrived_at END`,
  changes: 'true',
  handledIf: SEES_OURS,
  facts: {
    is_last: IS_NEWEST,
    is_open: IS_OPEN,
    is_last_inbound: IS_LAST_INBOUND,
    is_call: IS_CALL,
    is_elsewhere: `b.standby AND ${isNewestOfControl('b', 'b.written_at')}`,
    is_back: `NOT b.standby AND b.conducted_elsewhere AND b.control_reported_at <= b.written_at - ${ANSWERABLE_FOR}`,
    asks_for: `CASE WHEN ${IS_CALL} THEN ${MISSED_CALL} WHEN ${MAY_BE_LOST} THEN ${NOBODY_ANSWERED} END`,
    waits: `${IS_OPEN} AND ${IS_LAST_INBOUND} AND NOT (${IS_CALL})`,
    is_opt_request: IS_OPT_REQUEST,
    stops: `${IS_OPT_REQUEST} AND b.opt_request = 'stop' AND NOT b.opted_out`,
    starts: `${IS_OPT_REQUEST} AND b.opt_request = 'start' AND b.opted_out`,
    pause: `make_interval(secs => coalesce((SELECT s.reply_delay_ms FROM assistants s
             WHERE s.account_id = b.account_id AND s.id = b.assistant_id), :quietMs::int) / 1000.0)`,
    silences: `b.opt_request IS NOT DISTINCT FROM 'stop' AND b.ai_enabled`,
  },
  moves: {
    version:
      'b.version + 1 + b.fresh::int + b.stops::int + b.silences::int + b.starts::int + (b.asks_for IS NOT NULL)::int',
    ...conductAfter('b', 'b.at', [
      { when: 'b.stops', event: 'customerStops' },
      { when: 'b.silences', event: 'switchedOff' },
      { when: 'b.starts', event: 'customerStarts' },
    ]),
    ai_epoch:
      'b.ai_epoch + (b.stops OR b.is_elsewhere AND NOT b.conducted_elsewhere OR NOT b.quiet AND NOT b.is_call)::int',
    conducted_elsewhere: 'b.is_elsewhere OR b.conducted_elsewhere AND NOT b.is_back',
    control_reported_at: `CASE WHEN b.is_elsewhere THEN greatest(b.control_reported_at, b.written_at) ELSE b.control_reported_at END`,
    ...onlyWhere('b.asks_for IS NOT NULL', 'b', askForOperator('b.asks_for', 'NULL::text', 'b.at')),
    ...onlyWhere(
      'NOT b.is_call',
      'b',
      customerWrites('b', {
        message: 'b.message_id',
        writtenAt: 'b.written_at',
        standsAt: 'b.stands_at',
        isOpen: 'b.is_open',
        isLastInbound: 'b.is_last_inbound',
        oursSince: OURS_SINCE,
      }),
    ),
    ...asLast('b.is_last', `'USER'`, 'b.stands_at'),
    unread_count: 'b.unread_count + (NOT b.quiet)::int',
    last_activity_at: 'b.at',
    replied_at: customerReplied('b', {
      isReply: `NOT b.quiet AND b.type <> 'unsupported' AND b.opt_request IS NULL`,
      ...{ writtenAt: 'b.written_at', arrivedAt: 'b.arrived_at' },
    }),
    burst_started_at: `CASE WHEN NOT b.waits THEN b.burst_started_at
             WHEN NOT ${isWaiting('b')} OR coalesce(b.burst_started_at < b.at - ${QUIET_TIMES_MAX} * b.pause, true) THEN b.at
             ELSE b.burst_started_at END`,
    opt_requested_at: 'CASE WHEN b.is_opt_request THEN b.written_at ELSE b.opt_requested_at END',
    opt_request_arrived_at: 'CASE WHEN b.is_opt_request THEN b.arrived_at ELSE b.opt_request_arrived_at END',
  },
  spreads: {
    when: 'opt_request IS NOT NULL',
    ...{ stops: 'f.stops', starts: 'f.starts', silences: 'f.silences' },
    ...{ requestedAt: 'f.opt_requested_at', arrivedAt: 'f.opt_request_arrived_at' },
  },
  reply: `
    SELECT a.account_id, a.id, a.waiting_message_id, a.ai_epoch,
           least(a.at + a.pause, a.burst_started_at + ${QUIET_TIMES_MAX} * a.pause) AS due_at
      FROM stored_of a
     WHERE :quietMs::int IS NOT NULL AND NOT a.quiet AND NOT a.is_call AND ${mayBeAnswered('a', 'a.at', stageLetsAnswer('a', 'a.account_id'))}`,
  entries: [
    { ...ENTRIES.message('t.message_id'), step: 't.fresh::int' },
    { ...ENTRIES.optedOut, step: '1 + t.fresh::int', when: 't.stops' },
    { ...ENTRIES.optedIn, step: '1 + t.fresh::int', when: 't.starts' },
    { ...ENTRIES.switchedOff, step: '1 + t.fresh::int + t.stops::int', when: 't.silences' },
    {
      ...ENTRIES.attention('t.asks_for', 'NULL::text'),
      step: '1 + t.fresh::int',
      when: 't.asks_for IS NOT NULL',
    },
  ],
};

/**
 * Customers' messages. One waits unless one of ours was stored since, is unread, and discards a reply in the making. Of
 * several that wait, the one written last counts, because the messenger's window begins with it.
 *
 * An opt request counts if it is the newest. A STOP switches the agent off, and it stays off whatever the customer
 * asked since.
 *
 * Where the agent may answer, a reply is due when the customer has been quiet for a while. Each further message moves
 * it back, up to {@link QUIET_TIMES_MAX} times the quiet time after the first one. A message that comes while the agent
 * may not answer waits, and no reply to it is made later by itself.
 *
 * A message on standby is one that another AI answers: the agent is silent until the dialog is passed or taken back. When its
 * 24 hours are over the messenger decides anew who gets the next message: one that comes to us then is ours. One that comes
 * to us before has a person asked for, and takes the dialog from nobody: webhooks come late and in any order.
 *
 * A missed call is no message to be answered in writing: it does not wait, makes no reply due and disturbs none,
 * and asks for a person.
 *
 * A message that arrived before the agent spoke, but is handled only now, was unknown to the agent, so the agent's
 * words cannot have answered it. It is ordered after them, as if it had arrived now, and waits.
 *
 * Where our messages since its arrival are counted and the thread changed while its lock was awaited, the verdict is
 * `again`, because the snapshot may lack a message, or have one that has failed since.
 */
export const RECEIVE = incomingStatement('incoming-receive', KIND);

/** The same for messages of different known threads that come together. */
export const RECEIVE_TOGETHER = incomingStatement('incoming-receive-together', KIND, 'known');

/** The same for first messages of customers without a thread. */
export const RECEIVE_FIRST_TOGETHER = incomingStatement('incoming-receive-first-together', KIND, 'missing');
