import { randomUUIDv7 } from 'node:crypto';
import { type FieldViolation, CodedError, ValidationError } from '@app/contracts/coded.errors';
import { idOrNothing, isUuid, NIL_ID } from '@app/contracts/uuid.format';
import {
  type SealedHeaders,
  AssistantToolRepository,
  TOOLS_MAX,
  type ToolDefinition,
  type ToolOwner,
  type AuditedTool,
  type ToolRow,
} from '@app/persistence/assistants/assistant-tool.repository';
import { AssistantRepository } from '@app/persistence/assistants/assistant.repository';
import { Injectable } from '@nestjs/common';
import { reachOf, type Principal } from '../accounts/principal.rules';
import { SecretCipher } from '../accounts/secret-cipher.port';
import { Audit } from '../audit/audit.service';
import type { AuditedThing } from '../audit/audited-thing';
import { AssistantUnknownError } from './assistant.errors';
import { HttpToolCaller } from './http-tool.port';
import {
  violationsOfHeaders,
  violationsOfTool,
  violationsTogether,
  TOOL_DEFAULTS,
  type NewTool,
} from './tool.rules';

/** The owner of a tool's sealed headers. They cannot be opened for another tool. */
const boundTo = (accountId: string, toolId: string): string => `${accountId}/tool/${toolId}`;

/** Seals names and values as one text. */
export function sealHeaders(
  cipher: SecretCipher,
  accountId: string,
  toolId: string,
  headers: Readonly<Record<string, string>>,
): SealedHeaders {
  const names = Object.keys(headers);
  if (names.length === 0) return { names, sealed: null };
  return { names, sealed: cipher.seal(JSON.stringify(headers), boundTo(accountId, toolId)) };
}

/**
 * @throws Error when they were sealed with another key, or for another tool.
 */
export function openHeaders(
  cipher: SecretCipher,
  accountId: string,
  {
    id,
    headers_key_id: keyId,
    headers,
  }: { id: string; headers_key_id: string | null; headers: Buffer | null },
): Record<string, string> {
  if (keyId === null || headers === null) return {};
  return JSON.parse(cipher.open(keyId, headers, boundTo(accountId, id))) as Record<string, string>;
}

class ToolNotFoundError extends CodedError {
  readonly code = 'TOOL_NOT_FOUND';

  constructor() {
    super('The agent has no such tool.');
  }
}

class ToolNameTakenError extends CodedError {
  readonly code = 'ALREADY_EXISTS';

  constructor() {
    super('The agent has a tool of this name: name this one otherwise.');
  }
}

/** An agent's tool as admins see it. The values of its headers are never shown. */
type Tool = ToolDefinition & {
  id: string;
  assistant_id: string;
  header_names: string[];
  created_at: string;
};

function presentTool({ created_at: createdAt, ...row }: ToolRow): Tool {
  return { ...row, created_at: createdAt.toISOString() };
}

const AUDITED_TOOL: AuditedThing<AuditedTool> = {
  type: 'tool',
  subjectOf: ({ account_id: accountId, id, name }) => ({ accountId, id, name }),
  shown: [
    ...(['name', 'description', 'method', 'url', 'parameters', 'auto_fill'] as const),
    ...(['header_names', 'timeout_ms', 'enabled'] as const),
  ],
  secret: ['headers'],
};

/** Secret values by the names of headers. A value that is not a text is a violation. */
type GivenHeaders = Readonly<Record<string, unknown>>;

/** Agents' tools. Only an admin may use this service. */
@Injectable()
export class AssistantToolsService {
  constructor(
    private readonly tools: AssistantToolRepository,
    private readonly assistants: AssistantRepository,
    private readonly cipher: SecretCipher,
    private readonly caller: HttpToolCaller,
    private readonly audit: Audit,
  ) {}

  /**
   * The tools of an agent, in the order of their creation.
   * @throws AssistantUnknownError
   */
  async list(by: Principal, assistantId: string, afterId: string | null, limit: number): Promise<Tool[]> {
    const owner = await this.requireOwner(by, assistantId);
    return (await this.tools.list(owner, afterId ?? NIL_ID, limit)).map(presentTool);
  }

  /**
   * @throws AssistantUnknownError, ToolNameTakenError, or ValidationError for a tool that cannot be called, or one
   * tool more than an agent may have.
   */
  async create(by: Principal, assistantId: string, given: NewTool, headers: GivenHeaders): Promise<Tool> {
    reachOf(by);
    const tool = { ...TOOL_DEFAULTS, ...given };
    this.refuse(this.violationsOf(tool, headers));
    this.refuse(violationsTogether(tool));
    const owner = await this.requireOwner(by, assistantId);
    const id = randomUUIDv7();
    const sealed = sealHeaders(this.cipher, owner.accountId, id, headers as Record<string, string>);
    const made = await this.audit.change(by, 'tool.create', AUDITED_TOOL, (entryOf) =>
      this.tools.create(owner, id, tool, sealed, entryOf),
    );
    if (made === 'exists') throw new ToolNameTakenError();
    if (made === 'too_many') {
      throw new ValidationError([
        { path: '', message: `an agent has at most ${TOOLS_MAX} tools: delete one of them, or change one` },
      ]);
    }
    return presentTool(made);
  }

  /**
   * Changes the fields that are given; headers are replaced as a whole. Two changes at once may leave a schema and
   * filled-in arguments that contradict each other: then the filled-in values win in every call.
   * @throws AssistantUnknownError, ToolNotFoundError, ToolNameTakenError, or ValidationError.
   */
  async change(
    by: Principal,
    assistantId: string,
    id: string,
    change: Partial<ToolDefinition>,
    headers: GivenHeaders | null,
  ): Promise<Tool> {
    reachOf(by);
    this.refuse(this.violationsOf(change, headers ?? {}));
    const owner = await this.requireOwner(by, assistantId);
    const tool = await this.tools.find(owner, idOrNothing(id));
    if (!tool) throw new ToolNotFoundError();
    this.refuse(violationsTogether({ ...tool, ...change }));
    const sealed =
      headers && sealHeaders(this.cipher, owner.accountId, tool.id, headers as Record<string, string>);
    const changed = await this.audit.change(by, 'tool.update', AUDITED_TOOL, (entryOf) =>
      this.tools.change(owner, tool.id, change, sealed, entryOf),
    );
    if (changed === 'exists') throw new ToolNameTakenError();
    if (!changed) throw new ToolNotFoundError();
    return presentTool(changed);
  }

  /**
   * Removes a tool with its headers. A call that is under way is finished.
   * @throws AssistantUnknownError, ToolNotFoundError
   */
  async remove(by: Principal, assistantId: string, id: string): Promise<Tool> {
    const owner = await this.requireOwner(by, assistantId);
    const removed = await this.audit.change(by, 'tool.delete', AUDITED_TOOL, (entryOf) =>
      this.tools.remove(owner, idOrNothing(id), entryOf),
    );
    if (!removed) throw new ToolNotFoundError();
    return presentTool(removed);
  }

  private async requireOwner(by: Principal, assistantId: string): Promise<ToolOwner> {
    const reach = reachOf(by);
    const assistant = isUuid(assistantId) ? await this.assistants.find(reach, assistantId) : null;
    if (!assistant) throw new AssistantUnknownError();
    return { accountId: assistant.account_id, assistantId: assistant.id };
  }

  private violationsOf(tool: Partial<ToolDefinition>, headers: GivenHeaders): FieldViolation[] {
    return [
      ...violationsOfTool(tool, (url) => this.caller.violationOfUrl(url)),
      ...violationsOfHeaders(headers),
    ];
  }

  private refuse(violations: readonly FieldViolation[]): void {
    ValidationError.throwIfAny(violations);
  }
}
