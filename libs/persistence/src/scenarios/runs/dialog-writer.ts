import type { Transaction } from '../../database/database.service';
import type { PermitRow } from '../../work/heartbeat.statements';
import { storeIn } from '../../messages/sending/outbox.repository';
import type { DialogChanges, DialogTransaction, RunChanges, MessageToStore } from './dialog-transaction';
import { WRITE } from './dialog-write.statements';
import { requireRecipient } from './recipient-dialog';

/** What becomes of a dialog; without the rest, of its row of the queue too. */
type WrittenDialog = RunChanges & Partial<DialogChanges>;

/** Dialogs by the ids of their threads, with what became of them. */
type PlayedDialogs = ReadonlyMap<string, DialogTransaction>;

/**
 * Writes what became of dialogs, then the messages that their runs send: so a history tells of a run before it tells
 * of the run's message.
 * @returns what permits effects outside, if it is committed
 * @throws OutboxRefusal, RecipientRefusal, RowBusyError
 */
export async function writeDialogs(
  tx: Transaction,
  accountId: string,
  claimToken: string,
  dialogs: PlayedDialogs,
): Promise<PermitRow[]> {
  const changed = [...dialogs].flatMap(([threadId, { changes }]) =>
    changes ? [[threadId, changes] as const] : [],
  );
  if (changed.length === 0) return [];
  const permits = await tx.run(WRITE, { accountId, ...toWritten(changed) });
  // Last what counts against the quota, at whose row all sends of the account meet.
  const messages = [...dialogs.values()]
    .flatMap((dialog) => dialog.messages)
    .sort((one, other) => Number(one.counts) - Number(other.counts));
  for (const message of messages) if (!message.isOwn) await requireRecipient(tx, accountId, message);
  for (const group of Map.groupBy(messages, wayOf).values()) await store(tx, accountId, claimToken, group);
  return permits;
}

/** Messages that one statement can store. */
const wayOf = ({ botId, channel, assistantId, isOwn, counts }: MessageToStore): string =>
  [botId, channel, assistantId, isOwn, counts].join(' ');

async function store(
  tx: Transaction,
  accountId: string,
  token: string,
  messages: readonly MessageToStore[],
): Promise<void> {
  const [{ botId, channel, assistantId, claimMs, isOwn, counts }] = messages as [MessageToStore];
  await storeIn(tx, {
    sending: { accountId, botId, channel, assistantId, role: 'SYSTEM', actor: null },
    intents: messages.map(({ intent }) => intent),
    batchId: null,
    claim: { token, milliseconds: claimMs },
    idempotency: null,
    isOpen: isOwn,
    counts,
  });
}

/** Values of a statement that writes what became of dialogs. */
export function toWritten(changed: readonly (readonly [threadId: string, changes: WrittenDialog])[]) {
  const runs = changed.flatMap(([, changes]) => changes.runs);
  return {
    threadIds: changed.map(([threadId]) => threadId),
    dialogs: JSON.stringify(changed.map(toRecord)),
    runIds: runs.map(({ id }) => id),
    runs: JSON.stringify(runs),
    notBegunIds: changed.flatMap(([, changes]) => changes.notBegunIds),
  };
}

function toRecord([threadId, changes]: readonly [string, WrittenDialog]) {
  const { entries, hasRuns, dueAt, leaseMs, permitMs } = changes;
  const asking = entries.findLast(({ type }) => type === 'attention');
  return {
    ...{
      thread_id: threadId,
      entries,
      has_runs: hasRuns,
      due_at: dueAt,
      lease_ms: leaseMs,
      permit_ms: permitMs,
    },
    ...{ attention: asking?.body.to ?? null, attention_note: asking?.body.note ?? null },
    attention_provider_code: asking?.body.provider_code ?? null,
  };
}
