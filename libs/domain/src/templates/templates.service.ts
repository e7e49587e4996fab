import { randomUUIDv7 } from 'node:crypto';
import { type FieldViolation, ValidationError } from '@app/contracts/coded.errors';
import type { Channel } from '@app/contracts/message.words';
import { TEMPLATE_CATEGORIES, type TemplateStatus } from '@app/contracts/template.words';
import { isUuid, NIL_ID } from '@app/contracts/uuid.format';
import { BotRepository } from '@app/persistence/bots/bot.repository';
import {
  TemplateModerationRepository,
  type TemplatesMeant,
} from '@app/persistence/templates/template-moderation.repository';
import { TemplateRepository, type ReadTemplate } from '@app/persistence/templates/template.repository';
import { Injectable } from '@nestjs/common';
import { AccountCaps } from '../accounts/account-caps';
import { reachOf, type Principal } from '../accounts/principal.rules';
import { Audit } from '../audit/audit.service';
import { PhoneCountries } from '../bots/phone-countries.service';
import { BotAccess, BotNotFoundError } from '../messages/sending/bot-access';
import type { TemplateReport } from '../webhooks/provider-events';
import {
  AUDITED_TEMPLATE,
  presentGovernedTemplate,
  presentTemplate,
  type GovernedTemplate,
  type Template,
} from './template.presenter';
import {
  withAuthenticationWords,
  withoutAuthenticationWords,
  violationsOfOtherParts,
  violationsOfTemplate,
} from './template.rules';
import { contentOf, definitionOf, TemplateSamples } from './template-samples.service';
import { TemplateConflictError, TemplateExistsError, TemplateNotFoundError } from './template.errors';
import type { TemplateDefinition } from './template-gateway.port';

export interface DraftRequest extends TemplateDefinition {
  botId: string;
  channel: Channel;
  /** Our name for it. Absent: the provider's name. */
  templateId?: string;
}

/** Changes of a template. An absent field stays, and null removes a header or footer. */
export type TemplateChange = Partial<
  Pick<
    TemplateDefinition,
    | 'category'
    | 'header'
    | 'body'
    | 'footer'
    | 'buttons'
    | 'examples'
    | 'addSecurityRecommendation'
    | 'codeExpirationMinutes'
  >
>;

/** The states whose content we may change. In all others the provider owns it. */
const MENDABLE: readonly TemplateStatus[] = ['draft', 'rejected'];

export interface TemplateQuery {
  botId: string | null;
  channel: Channel | null;
  status: TemplateStatus | null;
}

/** The registry of templates: what bots may send, and what providers report about it. */
@Injectable()
export class TemplatesService {
  constructor(
    private readonly templates: TemplateRepository,
    private readonly moderation: TemplateModerationRepository,
    private readonly bots: BotRepository,
    private readonly access: BotAccess,
    private readonly countries: PhoneCountries,
    private readonly audit: Audit,
    private readonly caps: AccountCaps,
    private readonly samples: TemplateSamples,
  ) {}

  /**
   * All templates of a bot's channel, connected or not, for a caller that is attached to the bot.
   * @throws BotNotFoundError, BotForbiddenError
   */
  async listOfBot(
    by: Principal,
    botId: string,
    channel: Channel,
    status: TemplateStatus | null,
  ): Promise<{ templates: Template[]; phone_country: string | null }> {
    const bot = await this.access.requireBot(by, botId);
    const rows = await this.templates.listOfBot(bot.accountId, bot.botId, channel, status);
    const phone_country = await this.countries.known(bot.accountId, bot.botId, channel);
    return { templates: rows.map(presentTemplate), phone_country };
  }

  /** In the order of their creation. */
  async list(
    by: Principal,
    query: TemplateQuery,
    afterId: string | null,
    limit: number,
  ): Promise<GovernedTemplate[]> {
    const reach = reachOf(by);
    if (query.botId !== null && !isUuid(query.botId)) return [];
    return (await this.templates.list(reach, query, afterId ?? NIL_ID, limit)).map(presentGovernedTemplate);
  }

  /** @throws TemplateNotFoundError */
  async get(by: Principal, id: string): Promise<GovernedTemplate> {
    return presentGovernedTemplate(await this.require(by, id));
  }

  /**
   * Registers a draft.
   * @throws BotNotFoundError, TemplateExistsError, or ValidationError for what moderation would refuse without
   * reading, and for a channel that the bot does not have.
   */
  async create(by: Principal, request: DraftRequest): Promise<GovernedTemplate> {
    const reach = reachOf(by);
    const { channel } = request;
    requireNoViolations(channel, request);
    const bot = isUuid(request.botId) ? await this.bots.find(reach, request.botId) : null;
    if (!bot) throw new BotNotFoundError();
    await this.samples.require(bot.account_id, channel, request);
    const draft = {
      account_id: bot.account_id,
      id: randomUUIDv7(),
      bot_id: bot.id,
      channel,
      template_id: request.templateId ?? request.name,
      name: request.name,
      language: request.language,
      parameter_format: request.parameterFormat,
      ...contentOf(withAuthenticationWords(request)),
    };
    const row = await this.audit.change(by, 'template.create', AUDITED_TEMPLATE, (entryOf) =>
      this.templates.create(draft, this.caps.templates, entryOf),
    );
    if (row === 'exists') throw new TemplateExistsError();
    if (row === 'no_channel') {
      throw new ValidationError([
        { path: 'channel', message: 'the bot has no number on it: connect one first' },
      ]);
    }
    return presentGovernedTemplate(row);
  }

  /**
   * Changes the content of a draft or a rejected template. The next submission uses the new content.
   * @throws TemplateNotFoundError, TemplateConflictError for any other state, also when it was changed or submitted
   * at the same time, or ValidationError for what moderation would refuse without reading.
   */
  async mend(by: Principal, id: string, change: TemplateChange): Promise<GovernedTemplate> {
    const row = await this.require(by, id);
    if (!MENDABLE.includes(row.status)) {
      throw new TemplateConflictError(
        `The template is ${row.status}: only a draft or a rejected one can be changed.`,
      );
    }
    requireNone(violationsOfOtherParts(row));
    requireSameForm(row, change);
    const definition = { ...withoutAuthenticationWords(definitionOf(row)), ...change };
    requireNoViolations(row.channel, definition);
    await this.samples.require(row.account_id, row.channel, definition);
    const content = contentOf(withAuthenticationWords(definition));
    const mended = await this.audit.change(by, 'template.update', AUDITED_TEMPLATE, (entryOf) =>
      this.templates.mend(row, content, entryOf),
    );
    if (mended) return presentGovernedTemplate(mended);
    await this.require(by, id);
    throw new TemplateConflictError('The template was changed or submitted at the same time: read it anew.');
  }

  /**
   * Removes a draft. A template that the provider has seen stays, because messages may refer to it.
   * @throws TemplateNotFoundError, or ValidationError for a template that is no draft.
   */
  async removeDraft(by: Principal, id: string): Promise<GovernedTemplate> {
    const { account_id: accountId } = await this.require(by, id);
    const removed = await this.audit.change(by, 'template.delete', AUDITED_TEMPLATE, (entryOf) =>
      this.templates.removeDraft(accountId, id, entryOf),
    );
    if (removed) return presentGovernedTemplate(removed);
    await this.require(by, id);
    throw new ValidationError([
      { path: 'id', message: 'names a template that is no draft: only drafts can be removed' },
    ]);
  }

  /**
   * Stores what a provider reports about a template. A report older than the stored one changes nothing.
   * @returns whether a template is in another state now
   */
  async report(meant: TemplatesMeant, report: TemplateReport): Promise<boolean> {
    const category = report.category?.toLowerCase();
    const known = TEMPLATE_CATEGORIES.find((word) => word === category) ?? null;
    return (await this.moderation.report(meant, { ...report, category: known })) > 0;
  }

  private async require(by: Principal, id: string): Promise<ReadTemplate> {
    const reach = reachOf(by);
    const row = isUuid(id) ? await this.templates.find(reach, id) : null;
    if (!row) throw new TemplateNotFoundError();
    return row;
  }
}

/** @throws ValidationError for a change into another form: nothing of the former one would be left. */
function requireSameForm(row: ReadTemplate, { category = row.category }: TemplateChange): void {
  if (category === row.category) return;
  if (category !== 'authentication' && row.category !== 'authentication') return;
  const message = 'cannot be changed to authentication or from it: draft another template';
  throw new ValidationError([{ path: 'category', message }]);
}

/** @throws ValidationError */
function requireNoViolations(channel: Channel, definition: TemplateDefinition): void {
  requireNone(violationsOfTemplate(channel, definition));
}

/** @throws ValidationError */
function requireNone(violations: readonly FieldViolation[]): void {
  ValidationError.throwIfAny(violations);
}
