import type { Card } from '@app/contracts/board-events';
import { defused } from '@app/contracts/values/free-text';
import { UNREADABLE } from '@app/contracts/values/text-encoding';
import type { ThreadPosition } from '@app/contracts/values/list-position.format';
import { type ExportFormat, LEAD_COLUMNS, TRANSFER_LIMITS } from '@app/contracts/transfer.words';
import type { Visibility } from '@app/persistence/accounts/reach-scope';
import type { CardRow } from '@app/persistence/threads/card-columns';
import type { ThreadFilter } from '@app/persistence/threads/thread-filter';
import { ThreadListRepository } from '@app/persistence/threads/thread-list.repository';
import { ImportRepository } from '@app/persistence/transfer/import.repository';
import { Injectable } from '@nestjs/common';
import { asPersonName } from '../accounts/people/person.rules';
import { visibilityOf, type Principal } from '../accounts/principal.rules';
import { Principals } from '../accounts/principals.service';
import { Audit } from '../audit/audit.service';
import { AssistantNotFoundError } from '../leads/lead.errors';
import { presentCard } from '../leads/lead.presenter';
import { ReplyAbility } from '../leads/reply-ability';
import { BotAccess, BotForbiddenError } from '../messages/sending/bot-access';
import { NamedThings } from '../threads/named-things.service';
import { askedFilterOf, namedIn, threadFilterOf, type ListFilter } from '../threads/thread-filter.rules';
import { LeadNames } from './lead-names';

const LINE_END = '\r\n';
/** What would be read otherwise than it was written. Blanks at an end are kept by quotes in spreadsheets. */
const NEEDS_QUOTES = /[",;\t\r\n]|^\s|\s$/;

const cell = (text: string): string => (NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

const lineOf = (cells: readonly string[]): string => cells.map(cell).join(',') + LINE_END;

/** The beginning of a file. Its mark has spreadsheets read it as UTF-8. */
const CSV_HEAD = `\uFEFF${lineOf(LEAD_COLUMNS)}`;

/**
 * A lead as a line that an import takes. A phone is no formula, and stays as it is. A name that a messenger gave may need to
 * be cleaned and cut.
 */
const csvLine = (
  { phone, customer_name: name, lead_status: status, assignee }: Card,
  names: LeadNames,
): string =>
  lineOf([
    phone ?? '',
    defused(asPersonName((name ?? '').replaceAll(UNREADABLE, ' '), TRANSFER_LIMITS.nameLengthMax)),
    defused(status ? names.labelOfStage(status) : ''),
    defused(assignee ? names.labelOfPerson(assignee) : ''),
  ]);

/** Leads that are read by one statement, and kept in memory. */
const PAGE = 500;

export interface ExportRequest extends ListFilter {
  assistantId: string;
  format: ExportFormat;
}

/** Hands out the leads of an agent. */
@Injectable()
export class LeadExports {
  constructor(
    private readonly threads: ThreadListRepository,
    private readonly imports: ImportRepository,
    private readonly bots: BotAccess,
    private readonly named: NamedThings,
    private readonly audit: Audit,
    private readonly principals: Principals,
    private readonly ability: ReplyAbility,
  ) {}

  /**
   * Begins an export, and keeps in the audit that it did. Each lead comes once, as it is when its page is read; those whose
   * dialogs are opened meanwhile do not come, nor do erased customers.
   * @returns the lines of the file, the last opened lead first. Taking them throws once the caller's key or session has
   * ended, or may not see the leads any more.
   * @throws AssistantNotFoundError, BotNotFoundError, BotForbiddenError, StatusNotFoundError, ScenarioNotFoundError,
   * UserNotFoundError, ThreadsNotFoundError
   */
  async begin(by: Principal, request: ExportRequest): Promise<AsyncGenerator<string>> {
    const { accountId, assistantIds } = visibilityOf(by);
    const { format, ...asked } = request;
    const assistantId = asked.assistantId.toLowerCase();
    if (!assistantIds.includes(assistantId)) throw new AssistantNotFoundError();
    const botId = asked.botId?.toLowerCase();
    if (asked.botId !== undefined) await this.bots.requireBot(by, asked.botId);
    const of = { accountId, assistantIds: [assistantId] };
    await this.named.requireAll(of, namedIn(asked));
    await this.named.requireThreads(of, asked.threadIds ?? []);
    const lineOf = await this.formatOf(format, of, assistantId);
    const filter = threadFilterOf(accountId, askedFilterOf(asked, this.ability.hasModel));
    const first = filter === null ? [] : await this.page(of, filter, null);
    const subject = { type: 'assistant', accountId, id: assistantId, name: null };
    const totals = filter === null ? [] : await this.threads.totals(of, filter);
    const count = totals.reduce((sum, { total }) => sum + total, 0);
    await this.audit.note(by, 'lead.export', { subject, after: { format, filter: kept(asked), count } });
    const head = format === 'csv' ? CSV_HEAD : '';
    const rows = filter === null ? [] : this.rows(of, filter, first);
    return this.principals.whileActive(by, 'lead.export', linesOf(head, rows, lineOf), (living) => {
      if (!living.assistantIds.includes(assistantId)) throw new AssistantNotFoundError();
      if (botId !== undefined && !living.botIds.includes(botId)) throw new BotForbiddenError();
    });
  }

  private async formatOf(
    format: ExportFormat,
    { accountId }: Visibility,
    assistantId: string,
  ): Promise<(row: CardRow) => string> {
    if (format === 'ndjson') return (row) => `${JSON.stringify(presentCard(row, this.ability))}\n`;
    const names = new LeadNames(await this.imports.namedInFiles(accountId, assistantId));
    return (row) => csvLine(presentCard(row, this.ability), names);
  }

  private page(of: Visibility, filter: ThreadFilter, after: ThreadPosition | null) {
    return this.threads.page(of, filter, { sort: 'opened', after, limit: PAGE });
  }

  private async *rows(
    of: Visibility,
    filter: ThreadFilter,
    first: Awaited<ReturnType<ThreadListRepository['page']>>,
  ): AsyncGenerator<CardRow> {
    for (let page = first; ;) {
      for (const { row } of page) if (row.erased_at === null) yield row;
      const last = page.at(-1);
      if (!last || page.length < PAGE) return;
      page = await this.page(of, filter, last.position);
    }
  }
}

/**
 * The filter in the words of the operation. Of phones, user ids and dialogs only how many, and of words only that there
 * were some: the audit is kept longer than a customer who is erased.
 */
function kept({
  assistantId: _,
  phones,
  userIds,
  threadIds,
  search,
  ...others
}: ListFilter & { assistantId: string }) {
  const named = Object.entries(others).filter(([, value]) => value !== undefined);
  return {
    ...Object.fromEntries(named.map(([name, value]) => [snakeCased(name), value])),
    ...(phones && { phones: phones.length }),
    ...(userIds && { user_ids: userIds.length }),
    ...(threadIds && { thread_ids: threadIds.length }),
    ...(search !== undefined && { search: true }),
  };
}

const snakeCased = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

async function* linesOf(
  head: string,
  rows: AsyncIterable<CardRow> | Iterable<CardRow>,
  lineOf: (row: CardRow) => string,
): AsyncGenerator<string> {
  if (head !== '') yield head;
  for await (const row of rows) yield lineOf(row);
}
