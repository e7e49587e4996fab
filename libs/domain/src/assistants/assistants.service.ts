import { randomUUIDv7 } from 'node:crypto';
import { isUuid, NIL_ID } from '@app/contracts/uuid.format';
import {
  type AssistantSettings,
  AssistantRepository,
  type AssistantChange,
  type AssistantRow,
} from '@app/persistence/assistants/assistant.repository';
import { Injectable } from '@nestjs/common';
import { AccountCaps } from '../accounts/account-caps';
import { AccountNotFoundError } from '../accounts/account.errors';
import { reachOf, type Principal, accountNamed, narrowed } from '../accounts/principal.rules';
import { Audit } from '../audit/audit.service';
import type { AuditedThing } from '../audit/audited-thing';
import { AssistantUnknownError } from './assistant.errors';

/** The defaults of a new agent. */
export const ASSISTANT_DEFAULTS: Readonly<AssistantSettings> = {
  instructions: '',
  model: null,
  model_options: null,
  reply_delay_ms: null,
  reply_parts_max: 3,
  reply_characters_max: 2_000,
  replies_per_hour: 60,
  // Only a person, or your own system, knows that money has come. Whoever wants the agent to decide says so.
  barred_kinds: ['awaiting_payment', 'success'],
  handover_text: null,
  auto_return_minutes: 30,
  vision: false,
};

/** Longest texts of an agent, in characters. */
export const INSTRUCTIONS_LONGEST = 20_000;
export const MODEL_LONGEST = 200;
/** The length of one WhatsApp message. */
export const HANDOVER_TEXT_LONGEST = 4_096;

/** Least and most of an agent's numbers. The columns have the same bounds. */
export const ASSISTANT_BOUNDS = {
  reply_delay_ms: [0, 600_000],
  reply_parts_max: [1, 10],
  reply_characters_max: [1, 20_000],
  replies_per_hour: [1, 1_000],
  auto_return_minutes: [1, 10_080],
} as const;

const AUDITED_ASSISTANT: AuditedThing<AssistantRow> = {
  type: 'assistant',
  subjectOf: ({ account_id: accountId, id, name }) => ({ accountId, id, name }),
  shown: [
    'name',
    'instructions',
    'model',
    'model_options',
    'reply_delay_ms',
    'reply_parts_max',
    'reply_characters_max',
    ...(['replies_per_hour', 'barred_kinds', 'handover_text', 'auto_return_minutes', 'vision'] as const),
  ],
};

/** An agent as admins see it. */
type Assistant = AssistantSettings & {
  id: string;
  account_id: string;
  name: string;
  created_at: string;
};

function presentAssistant({ created_at: createdAt, ...row }: AssistantRow): Assistant {
  return { ...row, created_at: createdAt.toISOString() };
}

/** Agents: their instructions, model and limits. An operator may read those of the own reach. */
@Injectable()
export class AssistantsService {
  constructor(
    private readonly assistants: AssistantRepository,
    private readonly audit: Audit,
    private readonly caps: AccountCaps,
  ) {}

  /** Agents in the order of their creation. With an account, only its agents. */
  async list(
    by: Principal,
    accountId: string | null,
    afterId: string | null,
    limit: number,
  ): Promise<Assistant[]> {
    const reach = narrowed(reachOf(by), accountId);
    if (!reach) return [];
    return (await this.assistants.list(reach, afterId ?? NIL_ID, limit)).map(presentAssistant);
  }

  /** @throws AssistantUnknownError */
  async get(by: Principal, id: string): Promise<Assistant> {
    return presentAssistant(await this.require(by, id));
  }

  /**
   * @param named the account; absent: the own one
   * @throws AccountNotFoundError
   */
  async create(
    by: Principal,
    named: string | undefined,
    name: string,
    settings: Omit<AssistantChange, 'name'>,
  ): Promise<Assistant> {
    const accountId = accountNamed(reachOf(by), named);
    const given = { ...ASSISTANT_DEFAULTS, ...settings, name };
    const row = await this.audit.change(by, 'assistant.create', AUDITED_ASSISTANT, (entryOf) =>
      this.assistants.create(accountId, randomUUIDv7(), given, this.caps.assistants, entryOf),
    );
    if (!row) throw new AccountNotFoundError();
    return presentAssistant(row);
  }

  /**
   * Changes what is given. It counts for replies that begin from then on.
   * @throws AssistantUnknownError
   */
  async change(by: Principal, id: string, change: AssistantChange): Promise<Assistant> {
    const assistant = await this.require(by, id);
    const row = await this.audit.change(by, 'assistant.update', AUDITED_ASSISTANT, (entryOf) =>
      this.assistants.change(assistant.account_id, assistant.id, change, entryOf),
    );
    if (!row) throw new AssistantUnknownError();
    return presentAssistant(row);
  }

  private async require(by: Principal, id: string): Promise<AssistantRow> {
    const reach = reachOf(by);
    const assistant = isUuid(id) ? await this.assistants.find(reach, id) : null;
    if (!assistant) throw new AssistantUnknownError();
    return assistant;
  }
}
