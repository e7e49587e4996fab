import { setTimeout as sleep } from 'node:timers/promises';
import { TimedSendPermit } from '@app/domain/messages/dispatch/elapsed-time';
import { GRANT_SEND_PERMIT } from '@app/persistence/agent/reply-part.repository';
import { SWITCH } from '@app/persistence/ai-switch/ai-switch.repository';
import { MOVE } from '@app/persistence/leads/lead.statements';
import { STORE_TEXT } from '@app/persistence/messages/sending/outbox.statements';
import { WRITE } from '@app/persistence/scenarios/runs/dialog-writer';
import type { Client } from 'pg';
import { nameOf, now, override, overrideQueries, report, valueOf, type GivenQuery } from './fault.injection';

/** The statements that are reported, each with its word. */
const REPORTED = [
  { word: 'gate', statement: GRANT_SEND_PERMIT },
  { word: 'switch', statement: SWITCH },
  { word: 'move', statement: MOVE },
  { word: 'text', statement: STORE_TEXT },
];

/** Permits of runs are granted by the commit of this statement. @returns the dialogs for which it does. */
function grantedBy(given: GivenQuery): string[] {
  const dialogs = JSON.parse(String(valueOf(given, WRITE, 'dialogs'))) as {
    thread_id: string;
    permit_ms: number | null;
  }[];
  return dialogs.flatMap(({ thread_id: id, permit_ms: ms }) => (ms === null ? [] : [id]));
}

/**
 * Delays the gate's answer on its way to whoever writes the request, as a busy event loop does, and reports when what
 * happened.
 * @param busyShare the share of delays in which the event loop is busy
 */
export function inject({ mostMs = 3, busyShare = 0.5 }: { mostMs?: number; busyShare?: number } = {}): void {
  const late = async (): Promise<void> => {
    const delayMs = Math.random() * mostMs;
    if (Math.random() >= busyShare) await sleep(delayMs);
    else for (const end = now() + delayMs; now() < end;);
  };

  /** The dialogs for whose runs a connection's transaction grants permits. */
  const granting = new WeakMap<Client, string[]>();
  overrideQueries((client, { given, answered, make }) => {
    if (nameOf(given) === WRITE.name) granting.set(client, grantedBy(given));
    const dialogs = typeof given === 'string' ? granting.get(client) : undefined;
    if (dialogs) {
      granting.delete(client);
      return make().then(async (result) => {
        for (const dialog of dialogs) report('gate', dialog, now(), given === 'COMMIT');
        await late();
        return result;
      });
    }
    const reported = REPORTED.find(({ statement }) => statement.name === nameOf(given));
    if (!reported || !answered) return make();
    const { word, statement } = reported;
    return make((error, result) => {
      const threadId = valueOf(given, statement, 'threadId');
      report(word, String(threadId), now(), (result?.rows.length ?? 0) > 0);
      if (word === 'gate') void late().then(() => answered(error, result));
      else answered(error, result);
    });
  });

  /** For each permit: the last check, and its use. */
  let permits = 0;
  const numbers = new WeakMap<TimedSendPermit, number>();
  const numberOf = (permit: TimedSendPermit): number => {
    if (!numbers.has(permit)) numbers.set(permit, (permits += 1));
    return numbers.get(permit) ?? 0;
  };
  override(
    TimedSendPermit.prototype,
    'isValid',
    (own) =>
      function (this: TimedSendPermit) {
        const number = numberOf(this);
        const valid = own.call(this);
        const at = now();
        // Reported later, so that writing to the pipe does not fall between the check and the request.
        setImmediate(() => report('look', number, at, valid));
        return valid;
      },
  );
  override(
    TimedSendPermit.prototype,
    'used',
    (own) =>
      function (this: TimedSendPermit) {
        const at = now();
        setImmediate(() => report('used', numberOf(this), at));
        own.call(this);
      },
  );
}
