import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { MoreThan, type QueryDeepPartialEntity, type Repository } from 'typeorm';
import { violatedIndex } from '../database/database.errors';
import { Entities } from '../database/entities.service';
import { returnedRow } from '../database/returned.row';
import { only } from '../database/selected.columns';
import { AssistantToolEntity } from './assistant-tool.entity';

export type { JsonSchema } from './assistant-tool.entity';

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

/** Agents' tools. */
@Injectable()
export class AssistantToolRepository {
  constructor(
    @InjectRepository(AssistantToolEntity) private readonly tools: Repository<AssistantToolEntity>,
    private readonly entities: Entities,
  ) {}

  /** In the order of their creation. */
  async list(owner: ToolOwner, afterId: string, limit: number): Promise<ToolRow[]> {
    const where = { ...ofOwner(owner), id: MoreThan(afterId) };
    return this.entities.use(this.tools, (tools) =>
      tools.find({ select: only(SHOWN), where, order: { id: 'ASC' }, take: limit }),
    );
  }

  async find(owner: ToolOwner, id: string): Promise<ToolRow | null> {
    return this.entities.use(this.tools, (tools) =>
      tools.findOne({ select: only(SHOWN), where: { ...ofOwner(owner), id } }),
    );
  }

  /** The tools that are switched on, with their sealed headers. */
  async findCallable(owner: ToolOwner): Promise<CallableToolRow[]> {
    const where = { ...ofOwner(owner), enabled: true };
    return this.entities.use(this.tools, (tools) =>
      tools.find({ where, order: { id: 'ASC' }, take: TOOLS_MAX }),
    );
  }

  /** Calls at the same moment may all find room. The agent still gets at most {@link TOOLS_MAX} tools. */
  async create(
    owner: ToolOwner,
    id: string,
    given: ToolDefinition,
    headers: SealedHeaders,
  ): Promise<ToolRow | 'exists' | 'too_many'> {
    const values = { ...ofOwner(owner), id, ...columnsOf(given, headers) };
    return unlessExists(() =>
      this.entities.use(this.tools, async (tools) => {
        if ((await tools.countBy(ofOwner(owner))) >= TOOLS_MAX) return 'too_many';
        const insert = tools
          .createQueryBuilder()
          .insert()
          .values(values)
          .returning([...SHOWN]);
        return returnedRow<ToolRow>(await insert.execute()) ?? 'too_many';
      }),
    );
  }

  /**
   * Changes the fields that are given.
   * @param headers null: the present ones stay
   * @returns null when the agent has no such tool.
   */
  async change(
    owner: ToolOwner,
    id: string,
    given: Partial<ToolDefinition>,
    headers: SealedHeaders | null,
  ): Promise<ToolRow | 'exists' | null> {
    const change = columnsOf(given, headers);
    if (Object.values(change).every((value) => value === undefined)) return this.find(owner, id);
    return unlessExists(() =>
      this.entities.use(this.tools, async (tools) => {
        const update = tools
          .createQueryBuilder()
          .update()
          .set(change)
          .where({ ...ofOwner(owner), id });
        return returnedRow<ToolRow>(await update.returning([...SHOWN]).execute());
      }),
    );
  }

  /** @returns the tool as it was; null when the agent has no such tool. */
  async remove(owner: ToolOwner, id: string): Promise<ToolRow | null> {
    return this.entities.use(this.tools, async (tools) => {
      const removal = tools
        .createQueryBuilder()
        .delete()
        .where({ ...ofOwner(owner), id });
      return returnedRow<ToolRow>(await removal.returning([...SHOWN]).execute());
    });
  }
}

async function unlessExists<T>(act: () => Promise<T>): Promise<T | 'exists'> {
  try {
    return await act();
  } catch (error) {
    if (violatedIndex(error) === 'assistant_tools_name') return 'exists';
    throw error;
  }
}
