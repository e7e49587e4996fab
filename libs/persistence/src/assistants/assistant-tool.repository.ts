import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { MoreThan, type QueryDeepPartialEntity, type Repository } from 'typeorm';
import { AuditRepository, type AuditEntryOf, type Changed } from '../audit/audit.repository';
import { violatedIndex } from '../database/database.errors';
import { Entities } from '../database/entities.service';
import { only } from '../database/sql.statements';
import { AssistantToolEntity } from './assistant.entity';

/** A tool without its headers. */
export type ToolDefinition = Pick<
  AssistantToolEntity,
  'name' | 'description' | 'method' | 'url' | 'parameters' | 'auto_fill' | 'timeout_ms' | 'enabled'
>;

const SHOWN = [
  'id',
  'assistant_id',
  'name',
  'description',
  'method',
  'url',
  'parameters',
  'auto_fill',
  'header_names',
  'timeout_ms',
  'enabled',
  'created_at',
] as const satisfies readonly (keyof AssistantToolEntity)[];

/** A tool as it may be shown: everything except the headers' values. */
export type ToolRow = Pick<AssistantToolEntity, (typeof SHOWN)[number]>;

/** A tool as the audit compares it: of its headers' values only whether they are others. */
export type AuditedTool = ToolRow & Pick<AssistantToolEntity, 'account_id' | 'headers'>;

/** Names and values of headers, sealed as one text. */
export interface SealedHeaders {
  names: string[];
  /** Null: there are none. */
  sealed: { keyId: string; sealed: Buffer } | null;
}

/** A tool that an agent may call now. */
export type CallableToolRow = Omit<ToolDefinition, 'enabled'> &
  Pick<AssistantToolEntity, 'id' | 'headers_key_id' | 'headers'>;

export interface ToolOwner {
  accountId: string;
  assistantId: string;
}

/** A model does not distinguish more tools than this. */
export const TOOLS_MAX = 32;

const ofOwner = ({ accountId, assistantId }: ToolOwner) => ({
  account_id: accountId,
  assistant_id: assistantId,
});

/** The given fields of a tool, by its columns. */
const columnsOf = (given: Partial<ToolDefinition>, headers: SealedHeaders | null) =>
  ({
    ...given,
    ...(headers && {
      header_names: headers.names,
      headers_key_id: headers.sealed?.keyId ?? null,
      headers: headers.sealed?.sealed ?? null,
    }),
  }) as QueryDeepPartialEntity<AssistantToolEntity>;

const NO_HEADERS: SealedHeaders = { names: [], sealed: null };
const originOf = (url: string): string => new URL(url).origin;

/** Agents' tools. */
@Injectable()
export class AssistantToolRepository {
  constructor(
    @InjectRepository(AssistantToolEntity) private readonly tools: Repository<AssistantToolEntity>,
    private readonly entities: Entities,
    private readonly audit: AuditRepository,
  ) {}

  /** In the order of their creation. */
  async list(owner: ToolOwner, afterId: string, limit: number): Promise<ToolRow[]> {
    const where = { ...ofOwner(owner), id: MoreThan(afterId) };
    return this.entities.useFor(owner.accountId, this.tools, (tools) =>
      tools.find({ select: only(SHOWN), where, order: { id: 'ASC' }, take: limit }),
    );
  }

  async find(owner: ToolOwner, id: string): Promise<ToolRow | null> {
    return this.entities.useFor(owner.accountId, this.tools, (tools) =>
      tools.findOne({ select: only(SHOWN), where: { ...ofOwner(owner), id } }),
    );
  }

  /** The tools that are switched on, with their sealed headers. A reply does not wait for its account's calls. */
  async findCallable(owner: ToolOwner): Promise<CallableToolRow[]> {
    const where = { ...ofOwner(owner), enabled: true };
    return this.entities.useFor(`tools of ${owner.accountId}`, this.tools, (tools) =>
      tools.find({ where, order: { id: 'ASC' }, take: TOOLS_MAX }),
    );
  }

  /** Calls at the same moment may all find room. The agent still gets at most {@link TOOLS_MAX} tools. */
  async create(
    owner: ToolOwner,
    id: string,
    given: ToolDefinition,
    headers: SealedHeaders,
    entryOf: AuditEntryOf<Changed<AuditedTool>>,
  ): Promise<ToolRow | 'exists' | 'too_many'> {
    const values = { ...ofOwner(owner), id, ...columnsOf(given, headers) };
    return unlessExists(() =>
      this.entities.transactFor(owner.accountId, async (manager) => {
        if ((await manager.countBy(AssistantToolEntity, ofOwner(owner))) >= TOOLS_MAX) return 'too_many';
        await manager.insert(AssistantToolEntity, values);
        const after = await manager.findOneByOrFail(AssistantToolEntity, { ...ofOwner(owner), id });
        await this.audit.append(manager, entryOf({ before: null, after }));
        return shown(after);
      }),
    );
  }

  /**
   * Changes the fields that are given. A secret stays with its origin: headers go with an address of another one.
   * @param headers null: the present ones stay
   * @returns null when the agent has no such tool.
   */
  async change(
    owner: ToolOwner,
    id: string,
    given: Partial<ToolDefinition>,
    headers: SealedHeaders | null,
    entryOf: AuditEntryOf<Changed<AuditedTool>>,
  ): Promise<ToolRow | 'exists' | null> {
    const change = columnsOf(given, headers);
    if (Object.values(change).every((value) => value === undefined)) return this.find(owner, id);
    const where = { ...ofOwner(owner), id };
    return unlessExists(() =>
      this.entities.transactFor(owner.accountId, async (manager) => {
        const before = await manager.findOne(AssistantToolEntity, { where, lock: LOCK });
        if (!before) return null;
        const isElsewhere = given.url !== undefined && originOf(given.url) !== originOf(before.url);
        const changed = isElsewhere && headers === null ? columnsOf(given, NO_HEADERS) : change;
        await manager.update(AssistantToolEntity, where, changed);
        const after = await manager.findOneByOrFail(AssistantToolEntity, where);
        await this.audit.append(manager, entryOf({ before, after }));
        return shown(after);
      }),
    );
  }

  /** @returns the tool as it was; null when the agent has no such tool. */
  async remove(
    owner: ToolOwner,
    id: string,
    entryOf: AuditEntryOf<Changed<AuditedTool>>,
  ): Promise<ToolRow | null> {
    const where = { ...ofOwner(owner), id };
    return this.entities.transactFor(owner.accountId, async (manager) => {
      const before = await manager.findOne(AssistantToolEntity, { where, lock: LOCK });
      if (!before) return null;
      await manager.delete(AssistantToolEntity, where);
      await this.audit.append(manager, entryOf({ before, after: null }));
      return shown(before);
    });
  }
}

const LOCK = { mode: 'pessimistic_write' } as const;

const shown = (tool: AssistantToolEntity): ToolRow => {
  const { account_id: _account, headers_key_id: _key, headers: _headers, ...row } = tool;
  return row;
};

async function unlessExists<T>(act: () => Promise<T>): Promise<T | 'exists'> {
  try {
    return await act();
  } catch (error) {
    if (violatedIndex(error) === 'assistant_tools_name') return 'exists';
    throw error;
  }
}
