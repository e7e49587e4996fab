import { randomUUIDv7 } from 'node:crypto';
import type { Channel } from '@app/contracts/message.words';
import { CodedError, ValidationError } from '@app/contracts/coded.errors';
import { isUuid } from '@app/contracts/uuid.format';
import { BotRepository } from '@app/persistence/bots/bot.repository';
import {
  TemplateListRepository,
  type ListedTemplate,
  type SynchroniseCounts,
} from '@app/persistence/templates/template-list.repository';
import { TemplateModerationRepository } from '@app/persistence/templates/template-moderation.repository';
import { TemplateRepository } from '@app/persistence/templates/template.repository';
import type { TemplateRow } from '@app/persistence/templates/template.entity';
import { Injectable } from '@nestjs/common';
import { reachOf, type Principal } from '../accounts/principal.rules';
import { Audit } from '../audit/audit.service';
import { EventNotifier } from '../events/event-notifier.service';
import { BotNotFoundError } from '../messages/sending/bot-access';
import { ChannelConnections } from '../messages/sending/channel-connections.service';
import type { ChannelConnection, FileToGive } from '../messages/dispatch/message-sender.port';
import { TemplateSamples, definitionOf } from './template-samples.service';
import { AUDITED_TEMPLATE, presentGovernedTemplate, type GovernedTemplate } from './template.presenter';
import { TemplateNotFoundError, TemplateProviderError } from './template.errors';
import {
  violationsOfAuthentication,
  withoutAuthenticationWords,
  violationsOfOtherParts,
  parametersOf,
} from './template.rules';
import {
  TemplateGateways,
  type ProviderTemplate,
  type TemplateGatewayFailure,
  type TemplateTaken,
} from './template-gateway.port';
import { SendingHold } from '../work/sending-hold.service';

export interface Synchronisation extends SynchroniseCounts {
  /** The templates that the provider has, as far as they can be read. */
  listed: number;
  /** Those of which that is not so. Nothing is known to be gone then. */
  unreadable: number;
}

/** Exchanges templates between the registry and the providers, who decide about them. */
@Injectable()
export class TemplateModerationService {
  constructor(
    private readonly templates: TemplateRepository,
    private readonly moderation: TemplateModerationRepository,
    private readonly lists: TemplateListRepository,
    private readonly bots: BotRepository,
    private readonly connections: ChannelConnections,
    private readonly gateways: TemplateGateways,
    private readonly audit: Audit,
    private readonly eventNotifier: EventNotifier,
    private readonly hold: SendingHold,
    private readonly samples: TemplateSamples,
  ) {}

  /**
   * Submits a draft or a rejected template for moderation, with its content at that moment. However many callers ask,
   * it is submitted once. A template in any other state is returned unchanged.
   * @throws TemplateNotFoundError, ValidationError when the channel is not connected, SendingHeldError or TemplateProviderError. A
   * refused template keeps its former state; one whose outcome is unknown stays pending until it is synchronised.
   */
  async submit(by: Principal, id: string): Promise<GovernedTemplate> {
    const row = await this.require(by, id);
    const { account_id: accountId, channel } = row;
    requireSubmittable(row);
    const connection = await this.connect(accountId, row.bot_id, channel);
    await this.samples.require(accountId, channel, definitionOf(row));
    await this.hold.refuse();
    const claim = await this.audit.change(by, 'template.submit', AUDITED_TEMPLATE, (entryOf) =>
      this.moderation.claim(accountId, row.id, entryOf),
    );
    if (!claim) return presentGovernedTemplate(await this.require(by, id));
    this.eventNotifier.notify(accountId);
    const outcome = await this.handOver(connection, claim.template);
    if (outcome.ok) {
      await this.moderation.accept(accountId, row.id, claim, outcome.providerId, outcome.status);
      this.eventNotifier.notify(accountId);
      return presentGovernedTemplate(await this.require(by, id));
    }
    if (outcome.mayHaveBeenTaken) await this.moderation.doubt(accountId, row.id, claim, outcome.message);
    else await this.moderation.refuse(accountId, row.id, claim, outcome.message);
    this.eventNotifier.notify(accountId);
    throw new TemplateProviderError(outcome);
  }

  /**
   * Brings the registry of a bot's channel in line with the provider.
   * @throws BotNotFoundError, ValidationError when the channel is not connected, TemplateProviderError
   */
  async synchronise(by: Principal, botId: string, channel: Channel): Promise<Synchronisation> {
    const reach = reachOf(by);
    const bot = isUuid(botId) ? await this.bots.find(reach, botId) : null;
    if (!bot) throw new BotNotFoundError();
    const connection = await this.connect(bot.account_id, bot.id, channel);
    const since = await this.lists.now();
    const outcome = await this.gateways.of(channel).list(connection);
    if (!outcome.ok) throw new TemplateProviderError(outcome);
    const listed = eachOnce(outcome.templates).map(listedOf);
    const { unreadable } = outcome;
    const told = { listed: listed.length, unreadable };
    const describe = (counts: SynchroniseCounts) =>
      Object.values(counts).some((count) => count > 0)
        ? {
            subject: { type: 'bot', accountId: bot.account_id, id: bot.id, name: bot.name },
            after: { channel, ...told, ...counts },
          }
        : null;
    const counts = await this.audit.act(by, 'template.synchronize', describe, (entryOf) =>
      this.lists.synchronise(
        bot.account_id,
        bot.id,
        channel,
        { listed, isWhole: unreadable === 0 },
        since,
        entryOf,
      ),
    );
    this.eventNotifier.notify(bot.account_id);
    return { ...told, ...counts };
  }

  /**
   * Takes one template over as the provider has it, for a bot whose number is connected.
   * @returns whether it is in another state now
   * @throws TemplateProviderError
   */
  async fetch(accountId: string, botId: string, channel: Channel, providerId: string): Promise<boolean> {
    const open = await this.connections.findForWork(accountId, botId, channel);
    if (!open) return false;
    const since = await this.lists.now();
    const outcome = await this.gateways.of(channel).fetch(open.connection, providerId);
    if (!outcome.ok) throw new TemplateProviderError(outcome);
    return this.lists.put(accountId, botId, channel, listedOf(outcome.template), since);
  }

  /** A template that the provider has is edited there, because its name is taken. */
  private async handOver(
    connection: ChannelConnection,
    template: TemplateRow,
  ): Promise<TemplateTaken | TemplateGatewayFailure> {
    const { account_id: accountId, channel, provider_id: providerId } = template;
    const [gateway, definition] = [this.gateways.of(channel), definitionOf(template)];
    let sample: FileToGive | null;
    try {
      sample = await this.samples.find(accountId, channel, definition);
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      return { ok: false, code: 'PROVIDER_ERROR', message: error.message, response: null };
    }
    if (providerId === null) return gateway.create(connection, definition, sample);
    return gateway.edit(connection, providerId, definition, sample);
  }

  private async require(by: Principal, id: string): Promise<TemplateRow> {
    const reach = reachOf(by);
    const row = isUuid(id) ? await this.templates.find(reach, id) : null;
    if (!row) throw new TemplateNotFoundError();
    return row;
  }

  private async connect(accountId: string, botId: string, channel: Channel): Promise<ChannelConnection> {
    const { connection } = await this.connections.require(accountId, botId, channel);
    return connection;
  }
}

/**
 * @throws ValidationError for parts that only the provider knows: a submission would take them away; and for an
 * authentication template without its form, which WhatsApp no longer takes
 */
function requireSubmittable(row: TemplateRow): void {
  const violations = [
    ...violationsOfOtherParts(row),
    ...violationsOfAuthentication(withoutAuthenticationWords(definitionOf(row))),
  ];
  ValidationError.throwIfAny(violations);
}

/**
 * Of several with one name and language, such as one made again after its removal, the one in the most usable state.
 */
const BY_LIFE: ProviderTemplate['status'][] = [
  'approved',
  'paused',
  'pending',
  'rejected',
  'draft',
  'disabled',
];

function eachOnce(templates: readonly ProviderTemplate[]): ProviderTemplate[] {
  const known = new Map<string, ProviderTemplate>();
  for (const template of templates) {
    const key = `${template.name} ${template.language}`;
    const other = known.get(key);
    if (!other || BY_LIFE.indexOf(template.status) < BY_LIFE.indexOf(other.status)) known.set(key, template);
  }
  return [...known.values()];
}

function listedOf(template: ProviderTemplate): ListedTemplate {
  const { name, language, category, status, header, body, footer, buttons, quality, reason } = template;
  const { count, names } = parametersOf(body, template.parameterFormat);
  return {
    id: randomUUIDv7(),
    ...{ name, language, category, status, header, body, footer, quality, reason },
    provider_id: template.providerId,
    parameter_format: template.parameterFormat,
    buttons: [...buttons],
    examples: samplesOf(template),
    add_security_recommendation: template.addSecurityRecommendation,
    code_expiration_minutes: template.codeExpirationMinutes,
    params_count: count,
    param_names: names,
  };
}

/** Of a code WhatsApp has its own sample, and takes no other. */
function samplesOf({ category, examples: { header, body } }: ProviderTemplate): ListedTemplate['examples'] {
  if (category === 'authentication') return {};
  return { ...(header !== undefined && { header }), ...(body && { body: [...body] }) };
}
