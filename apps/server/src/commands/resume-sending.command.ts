import { createInterface } from 'node:readline/promises';
import { StartError } from '@app/contracts/coded.errors';
import {
  HELD_KINDS,
  type HeldCounts,
  type HeldKind,
  HeldWork,
  type HoldRow,
} from '@app/domain/backup/held-work.service';
import { DomainModule } from '@app/domain/domain.module';
import { bringSchemaUpToDate } from '@app/domain/schema/schema.service';
import { NestFactory } from '@nestjs/core';
import { runCommand } from './command-process';
import 'reflect-metadata';

/** Does something with what is held in a database that has the schema. */
async function withHeldWork<T>(databaseUrl: string, act: (held: HeldWork) => Promise<T>): Promise<T> {
  const domain = await NestFactory.createApplicationContext(DomainModule.forResuming(databaseUrl), {
    logger: false,
    abortOnError: false,
  });
  try {
    return await act(domain.get(HeldWork));
  } finally {
    await domain.close();
  }
}

const kindsOf = (list: unknown): string[] => (typeof list === 'string' ? list.split(',') : []);

const isKind = (kind: string): kind is HeldKind => HELD_KINDS.some((known) => known === kind);

/** What will become of all that is held. */
function describe(counts: HeldCounts, discarded: ReadonlySet<HeldKind>): string[] {
  const { messages, messages_due: due, sending, replies, runs, webhooks, imports } = counts;
  const fate = (kind: HeldKind, goesOn: string, ends: string): string =>
    discarded.has(kind) ? ends : goesOn;
  return [
    `${messages} queued messages: ${fate('messages', due > 0 ? `are sent; ${due} of them may be sent twice` : 'are sent', 'fail, and their quota is given back')}`,
    `${sending} messages that were being sent: become unknown, and are never sent again`,
    `${replies} replies that are due: ${fate('replies', 'are written, where the customer has waited for less than 24 hours; else a person is asked for', 'are discarded')}`,
    `${runs} runs of scenarios: ${fate('runs', 'go on', 'are cancelled')}`,
    `${webhooks} events on their way to webhook endpoints, and those of the log behind them: ${fate('webhooks', 'are sent', 'are skipped')}`,
    `${imports} imports of leads: ${fate('imports', 'go on', 'are cancelled, and what they have taken in stays')}`,
  ];
}

function whyHeld({ held_since: since, backup_at: dataOf, reason }: HoldRow): string {
  const [at, of] = [since.toISOString(), dataOf.toISOString()];
  return reason === 'database_went_back'
    ? `Sending is held since ${at}: the database went back to what it was shortly after ${of}. What was sent between that and the hold is not known here. When sending goes on:`
    : `Sending is held since ${at}, in a database of ${of}. What was sent between the backup and the loss of the former database is not known here. When sending goes on:`;
}

async function agrees(): Promise<boolean> {
  if (!process.stdin.isTTY) throw new StartError('Nothing was changed. Without a terminal, agree by --yes.');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await terminal.question('Go on? Type yes: ')).trim().toLowerCase() === 'yes';
  } finally {
    terminal.close();
  }
}

async function resume(held: HeldWork, discarded: ReadonlySet<HeldKind>, agreed: boolean): Promise<void> {
  const hold = await held.hold();
  if (!hold) return console.log('Sending is not held.');
  console.log(whyHeld(hold));
  for (const line of describe(await held.count(), discarded)) console.log(`- ${line}`);
  if (!agreed && !(await agrees())) return console.log('Nothing was changed.');
  await held.resume(discarded);
  console.log('Sending goes on. All processes know within a second.');
}

/** `npm run db:resume-sending` */
void runCommand({
  usage: `Usage: npm run db:resume-sending -- [--discard ${HELD_KINDS.join(',')}] [--yes]   (with the -- first)`,
  purpose:
    'After a restore, or where the database went back: tells what is held in the database that DATABASE_URL names, asks, and lets it go out. What --discard names does not go out.',
  options: { discard: { type: 'string' }, yes: { type: 'boolean' } },
  accepts: ({ discard }) => kindsOf(discard).every(isKind),
  act: async (databaseUrl, { discard, yes }) => {
    await bringSchemaUpToDate(databaseUrl);
    const discarded = new Set(kindsOf(discard).filter(isKind));
    await withHeldWork(databaseUrl, (held) => resume(held, discarded, yes === true));
  },
});
