import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ACCOUNTS } from './baseline/accounts';
import { AGENT } from './baseline/agent';
import { ASSISTANTS } from './baseline/assistants';
import { AUDIT } from './baseline/audit';
import { BOTS } from './baseline/bots';
import { EVENTS } from './baseline/events';
import { FIGURES } from './baseline/figures';
import { MEDIA } from './baseline/media';
import { MESSAGES } from './baseline/messages';
import { PEOPLE } from './baseline/people';
import { PRIVACY } from './baseline/privacy';
import { SCENARIOS } from './baseline/scenarios';
import { THREADS } from './baseline/threads';
import { TRANSFER } from './baseline/transfer';
import { WEBHOOKS } from './baseline/webhooks';
import { WEBHOOKS_OUT } from './baseline/webhooks-out';
import { WORK } from './baseline/work';

/** By feature; what a table refers to comes before it. What columns mean is said by their entities. */
const COMMANDS: readonly string[] = [
  ...ACCOUNTS,
  ...PEOPLE,
  ...ASSISTANTS,
  ...BOTS,
  ...THREADS,
  ...MEDIA,
  ...MESSAGES,
  ...EVENTS,
  ...AGENT,
  ...SCENARIOS,
  ...FIGURES,
  ...WEBHOOKS,
  ...WEBHOOKS_OUT,
  ...TRANSFER,
  ...AUDIT,
  ...PRIVACY,
  ...WORK,
];

/** The schema of 0.1.0, with which every installation begins. Later ones change it by migrations of their own. */
export class Baseline1764093600000 implements MigrationInterface {
  name = 'Baseline1764093600000';

  async up(db: QueryRunner): Promise<void> {
    for (const command of COMMANDS) await db.query(command);
  }

  /** Undone, it would take every row with it, by one word too many on the command line. */
  down(): Promise<void> {
    return Promise.reject(new Error('The baseline is not undone: to begin anew, make another database.'));
  }
}
