import { randomUUIDv7 } from 'node:crypto';
import type { Channel } from '@app/contracts/message.words';
import type { EncodingChoice } from '@app/contracts/values/text-encoding';
import { TRANSFER_LIMITS } from '@app/contracts/transfer.words';
import { idOrNothing } from '@app/contracts/uuid.format';
import { ValidationError } from '@app/contracts/coded.errors';
import type { ImportRow, ImportEntity } from '@app/persistence/transfer/import.entity';
import {
  ImportRepository,
  type ImportReach,
  type NewImport,
  type GivenChunk,
} from '@app/persistence/transfer/import.repository';
import { Injectable } from '@nestjs/common';
import { callOf, setterOf, visibilityOf, type Principal } from '../accounts/principal.rules';
import { Principals } from '../accounts/principals.service';
import { Audit } from '../audit/audit.service';
import { EventNotifier } from '../events/event-notifier.service';
import { AssistantNotFoundError } from '../leads/lead.errors';
import { FileTooLargeError, MediaStore } from '../media/media-store.port';
import { PhoneCountries } from '../bots/phone-countries.service';
import { BotAccess } from '../messages/sending/bot-access';
import { ChannelConnections } from '../messages/sending/channel-connections.service';
import type { ChannelConnection } from '../messages/dispatch/message-sender.port';
import { WorkNotifier } from '../work/work-notifier';
import { presentImport, type LeadImport, cancelledImport } from './import.presenter';
import { columnOf, columnsOf, LeadRowsReader } from './lead-rows-reader';
import { LeadFiles, UnusableLeadsError, type FileRow } from './lead-file.port';
import { ImportNotFoundError, LeadFileTooLargeError, TooManyImportsError } from './transfer.errors';

/** Rows that are taken in by one transaction: it takes tens of milliseconds, and holds their dialogs for so long. */
const ROWS_OF_CHUNK = 100;
/** Stored by one statement. */
const CHUNKS_AT_ONCE = 20;

/**
 * Puts the rows of a file into chunks, as they are read, some chunks at a time.
 * @throws UnusableLeadsError for one row more than an import may have
 */
export async function* chunksOf(
  rows: AsyncIterable<readonly FileRow[]>,
  read: (row: FileRow) => ImportRow,
): AsyncGenerator<GivenChunk[]> {
  let count = 0;
  let held: ImportRow[] = [];
  for await (const some of rows) {
    count += some.length;
    if (count > TRANSFER_LIMITS.rowsMax)
      throw new UnusableLeadsError('too_many_rows', { most: TRANSFER_LIMITS.rowsMax });
    held.push(...some.map(read));
    if (held.length < ROWS_OF_CHUNK * CHUNKS_AT_ONCE) continue;
    const whole = held.length - (held.length % ROWS_OF_CHUNK);
    yield cut(held.slice(0, whole));
    held = held.slice(whole);
  }
  if (held.length > 0) yield cut(held);
}

function cut(rows: readonly ImportRow[]): GivenChunk[] {
  const chunks: GivenChunk[] = [];
  for (let at = 0; at < rows.length; at += ROWS_OF_CHUNK) {
    const own = rows.slice(at, at + ROWS_OF_CHUNK);
    chunks.push({ firstRow: own[0]?.row ?? 0, rows: own });
  }
  return chunks;
}

/** What an import is asked to do. */
export interface ImportRequest {
  assistantId: string;
  botId: string;
  channel: Channel;
  dryRun: boolean;
  startScenarios: boolean;
  /** Null: it is found. */
  encoding: EncodingChoice | null;
}

/** A file of leads as its sender gives it. */
export interface GivenLeads {
  /** Ends when the file is whole, and throws when it does not come whole. */
  bytes: AsyncIterable<Uint8Array>;
  /** What is asked, once the file is whole. @throws ValidationError */
  asked: () => ImportRequest;
}

type AdmittedImport = Omit<NewImport, 'ignored_columns'>;

const OTHER_AGENT = 'speaks for another agent than assistant_id';

/** Imports of leads from files: begun, watched and cancelled by their callers. */
@Injectable()
export class LeadImports {
  constructor(
    private readonly imports: ImportRepository,
    private readonly files: LeadFiles,
    private readonly store: MediaStore,
    private readonly bots: BotAccess,
    private readonly channels: ChannelConnections,
    private readonly countries: PhoneCountries,
    private readonly principals: Principals,
    private readonly audit: Audit,
    private readonly work: WorkNotifier,
    private readonly eventNotifier: EventNotifier,
  ) {}

  /**
   * Stores the rows of a file, to be taken in from then on, whatever is killed. A file that is refused leaves nothing.
   * @returns the id of the import
   * @throws AssistantNotFoundError, BotNotFoundError, BotForbiddenError, ChannelNotConnectedError, CredentialSealedError,
   * TooManyImportsError, LeadFileTooLargeError, StoreUnavailableError, and ValidationError for a file without leads
   * @throws UnauthorizedError, ForbiddenError where the caller's key or session ended meanwhile, or may not import any more
   */
  async create(by: Principal, { bytes, asked }: GivenLeads): Promise<string> {
    const file = await this.store.spool(bytes, TRANSFER_LIMITS.fileBytesMax).catch((error: unknown) => {
      throw error instanceof FileTooLargeError ? new LeadFileTooLargeError() : error;
    });
    try {
      const sender = await this.principals.requireStillActive(by, 'import.create');
      const request = asked();
      const { given, connection } = await this.admit(sender, request);
      const isColumn = (name: string): boolean => columnOf(name) !== undefined;
      await using table = await this.files.open(file.path, request.encoding, isColumn);
      const columns = columnsOf(table.header);
      const reader = new LeadRowsReader(columns, await this.countries.of(connection));
      const added = { ...given, ignored_columns: [...columns.ignored] };
      if (!(await this.imports.add(added, TRANSFER_LIMITS.underWayMax))) throw new TooManyImportsError();
      await this.keep(
        sender,
        given,
        chunksOf(table.rows, (row) => reader.read(row)),
      );
      return given.id;
    } finally {
      await file.discard();
    }
  }

  /**
   * How far an import is, with the first of its faults.
   * @throws ImportNotFoundError
   */
  async get(by: Principal, importId: string, faultsLimit: number): Promise<LeadImport> {
    const found = await this.find(by, importId);
    const { account_id: accountId, id } = found;
    const faults =
      faultsLimit > 0 && found.faulty_rows > 0 ? await this.imports.faults(accountId, id, faultsLimit) : [];
    return presentImport(found, faults);
  }

  /**
   * Takes nothing more in. What has been taken in stays. Does nothing where it has ended.
   * @throws ImportNotFoundError
   */
  async cancel(by: Principal, importId: string): Promise<LeadImport> {
    const { account_id: accountId, id, rows } = await this.find(by, importId);
    const describe = cancelledImport({ accountId, id, rows });
    await this.audit.act(by, 'import.cancel', describe, (entryOf) =>
      this.imports.cancel(accountId, id, entryOf),
    );
    this.eventNotifier.notify(accountId);
    return this.get(by, id, 0);
  }

  private async find(by: Principal, importId: string): Promise<ImportEntity> {
    const reach: ImportReach = { ...visibilityOf(by), botIds: by.botIds };
    const found = await this.imports.find(reach, idOrNothing(importId));
    if (!found) throw new ImportNotFoundError();
    return found;
  }

  private async admit(
    by: Principal,
    asked: ImportRequest,
  ): Promise<{ given: AdmittedImport; connection: ChannelConnection }> {
    const { accountId, assistantIds } = visibilityOf(by);
    const assistantId = asked.assistantId.toLowerCase();
    if (!assistantIds.includes(assistantId)) throw new AssistantNotFoundError();
    const bot = await this.bots.requireBot(by, asked.botId);
    if (bot.assistantId !== assistantId)
      throw new ValidationError([{ path: 'bot_id', message: OTHER_AGENT }]);
    const { connection } = await this.channels.require(accountId, bot.botId, asked.channel);
    const { actor, requestId } = callOf(by);
    const given = {
      ...{ account_id: accountId, id: randomUUIDv7(), assistant_id: assistantId, bot_id: bot.botId },
      ...{ channel: asked.channel, dry_run: asked.dryRun, start_scenarios: asked.startScenarios },
      ...{ set_by: setterOf(by), actor, request_id: requestId },
    };
    return { given, connection };
  }

  private async keep(
    by: Principal,
    given: AdmittedImport,
    chunks: ReturnType<typeof chunksOf>,
  ): Promise<void> {
    const { account_id: accountId, id, assistant_id, bot_id, channel, dry_run, start_scenarios } = given;
    let count = 0;
    try {
      for await (const some of chunks) {
        count += some.reduce((sum, { rows }) => sum + rows.length, 0);
        await this.imports.addChunks(accountId, id, some);
      }
      const subject = { type: 'import', accountId, id, name: null };
      const after = { assistant_id, bot_id, channel, dry_run, start_scenarios };
      const describe = (rows: number) => ({ subject, after: { ...after, rows } });
      await this.audit.act(by, 'import.create', describe, (entryOf) =>
        this.imports.begin(accountId, id, count, entryOf),
      );
    } catch (error) {
      // What cannot be deleted now is deleted with what killed processes left.
      await this.imports.remove(accountId, id).catch(() => undefined);
      throw error;
    }
    this.work.notify('imports', { accountId, id });
  }
}
