import { Audit } from '@app/domain/audit/audit.service';
import { AuditRepository } from '@app/persistence/audit/audit.repository';
import { randomBytes } from 'node:crypto';
import type { Channel } from '@app/contracts/message.words';
import { NO_CAPS } from '@app/domain/accounts/account-caps';
import { COMMAND_LINE } from '@app/domain/accounts/principal.rules';
import { EventNotifier } from '@app/domain/events/event-notifier.service';
import { PhoneCountries } from '@app/domain/bots/phone-countries.service';
import { BotAccess } from '@app/domain/messages/sending/bot-access';
import { boundTo, ChannelConnections } from '@app/domain/messages/sending/channel-connections.service';
import type { ChannelConnection } from '@app/domain/messages/dispatch/message-sender.port';
import { TemplateSamples } from '@app/domain/templates/template-samples.service';
import { MediaRepository } from '@app/persistence/media/media.repository';
import type { TemplateReport } from '@app/domain/webhooks/provider-events';
import {
  TemplateGateway,
  type ProviderTemplate,
  type TemplateDefinition,
  type TemplateGatewayFailure,
} from '@app/domain/templates/template-gateway.port';
import type { GovernedTemplate } from '@app/domain/templates/template.presenter';
import { TemplateModerationService } from '@app/domain/templates/template-moderation.service';
import { Heartbeat } from '@app/persistence/work/heartbeat';
import { SendingHold } from '@app/domain/work/sending-hold.service';
import { TemplatesService, type TemplateChange } from '@app/domain/templates/templates.service';
import { AesChannelCipher } from '@app/integrations/cipher/aes-channel-cipher';
import { BotChannelRepository } from '@app/persistence/bots/bot-channel.repository';
import { BotChannelEntity, BotEntity } from '@app/persistence/bots/bot.entity';
import { BotRepository } from '@app/persistence/bots/bot.repository';
import { Database, ReservedDatabase, WorkDatabase } from '@app/persistence/database/database.service';
import { InFlightLimiter } from '@app/contracts/in-flight-limiter';
import { BotOwnerRepository } from '@app/persistence/messages/sending/bot-owner.repository';
import { ChannelConnectionRepository } from '@app/persistence/messages/sending/channel-connection.repository';
import { SendingHoldRepository } from '@app/persistence/work/sending-hold.repository';
import { TemplateListRepository } from '@app/persistence/templates/template-list.repository';
import {
  TemplateModerationRepository,
  type TemplatesMeant,
} from '@app/persistence/templates/template-moderation.repository';
import { TemplateEntity } from '@app/persistence/templates/template.entity';
import { TemplateRepository } from '@app/persistence/templates/template.repository';
import { TemplateReportHandler } from '@app/domain/webhooks/handlers/template-report.handler';
import type { WebhookSource } from '@app/domain/webhooks/webhook-source';
import { WebhookChannelRepository } from '@app/persistence/webhooks/webhook-channel.repository';
import { EntitySource } from '../database/entity.source';
import { AccountFixture } from '../database/fixture';
import { createDatabase, type TestDatabase } from '../database/test.database';
import { sceneOf } from './scene.opening';
import { ascendingId } from '../database/ascending.id';

type Creation = Awaited<ReturnType<TemplateGateway['create']>>;
type Listing = Awaited<ReturnType<TemplateGateway['list']>>;

/** A provider in memory with scripted answers, which records its requests. */
export class ToldGateway extends TemplateGateway {
  readonly channels: readonly Channel[] = ['waba_coexistence', 'waba'];
  readonly takesSamples = false;
  readonly created: { connection: ChannelConnection; template: TemplateDefinition }[] = [];
  readonly edited: { connection: ChannelConnection; providerId: string; template: TemplateDefinition }[] = [];
  onCreate: () => Promise<Creation> = () =>
    Promise.resolve({ ok: true, providerId: 'none', status: 'pending' });
  /** Taken, unless a test says otherwise. */
  onEdit: ((providerId: string) => Promise<Creation>) | null = null;
  readonly fetched: string[] = [];
  onFetch: (providerId: string, botId: string) => ReturnType<TemplateGateway['fetch']> = () =>
    Promise.resolve(LOST_ANSWER);
  onList: () => Promise<Listing> = () => Promise.resolve({ ok: true, templates: [], unreadable: 0 });

  create(connection: ChannelConnection, template: TemplateDefinition): Promise<Creation> {
    this.created.push({ connection, template });
    return this.onCreate();
  }

  edit(connection: ChannelConnection, providerId: string, template: TemplateDefinition): Promise<Creation> {
    this.edited.push({ connection, providerId, template });
    return this.onEdit?.(providerId) ?? Promise.resolve({ ok: true, providerId, status: 'pending' });
  }

  /** By their ids at the provider. */
  fetch({ botId }: ChannelConnection, providerId: string): ReturnType<TemplateGateway['fetch']> {
    this.fetched.push(providerId);
    return this.onFetch(providerId, botId);
  }

  list(): Promise<Listing> {
    return this.onList();
  }

  lists(...templates: ProviderTemplate[]): void {
    this.onList = () => Promise.resolve({ ok: true, templates, unreadable: 0 });
  }
}

export const WABA = '102290129340398';

export const LOST_ANSWER: TemplateGatewayFailure = {
  ok: false,
  code: 'PROVIDER_ERROR',
  message: 'No answer.',
  response: null,
  mayHaveBeenTaken: true,
};

/** The services of templates over a real database, an account with a connected bot, and a provider in memory. */
function makeTemplateScene() {
  const gateway = new ToldGateway();
  const cipher = new AesChannelCipher(randomBytes(32).toString('hex'));
  let database: TestDatabase;
  let account: AccountFixture;
  let db: Database;
  let orm: EntitySource;
  let senders = 400_000_000_000_000;

  const audits = (): AuditRepository => new AuditRepository(db);
  const bots = (): BotRepository => new BotRepository(orm.of(BotEntity), orm.entities, audits());
  const registry = (): TemplateRepository =>
    new TemplateRepository(orm.of(TemplateEntity), orm.entities, db, audits());
  const moderated = (): TemplateModerationRepository =>
    new TemplateModerationRepository(orm.entities, db, audits());

  async function connect(of: AccountFixture, botId: string): Promise<void> {
    const [accountId, channel] = [of.id, 'waba_coexistence' as const];
    const credential = cipher.seal('the token', boundTo(accountId, botId, channel));
    const number = {
      sender: String(++senders),
      settings: { waba_id: WABA },
      messagesPerSecond: null,
      phone: null,
      takenFrom: null,
    };
    await new BotChannelRepository(orm.of(BotChannelEntity), orm.entities, audits()).connect(
      { accountId, botId, channel, credential, ...number },
      () => null,
    );
  }

  /** No test of the scene opens a file. */
  const samples = (): TemplateSamples =>
    new TemplateSamples(new MediaRepository(db), undefined as never, { of: () => gateway });

  const scene = {
    gateway,

    get database(): TestDatabase {
      return database;
    },

    get account(): AccountFixture {
      return account;
    },

    async start(): Promise<void> {
      database = await createDatabase();
      db = new Database(database.pool, new InFlightLimiter(16));
      account = await AccountFixture.create(database.pool);
      orm = await EntitySource.open(database);
      await connect(account, account.botId);
    },

    async close(): Promise<void> {
      await orm?.close();
      await database?.drop();
    },

    templates: (): TemplatesService =>
      new TemplatesService(
        registry(),
        moderated(),
        bots(),
        new BotAccess(new BotOwnerRepository(db)),
        new PhoneCountries(
          new ChannelConnectionRepository(db, new WorkDatabase(database.pool)),
          undefined as never,
        ),
        new Audit(audits()),
        NO_CAPS,
        samples(),
      ),

    moderation: (): TemplateModerationService =>
      new TemplateModerationService(
        registry(),
        moderated(),
        new TemplateListRepository(db, audits()),
        bots(),
        new ChannelConnections(new ChannelConnectionRepository(db, new WorkDatabase(database.pool)), cipher),
        { of: () => gateway },
        new Audit(audits()),
        new EventNotifier(),
        new SendingHold(
          new SendingHoldRepository(
            new ReservedDatabase(database.pool, new InFlightLimiter(1)),
            new Heartbeat(),
          ),
        ),
        samples(),
      ),

    /** A separate bot, connected, so that a list of the provider is about one test only. */
    async addBot(of: AccountFixture = account): Promise<string> {
      const botId = await of.addBot();
      await connect(of, botId);
      return botId;
    },

    draft: (
      name: string,
      change: Partial<TemplateDefinition> & { templateId?: string; botId?: string } = {},
    ): Promise<GovernedTemplate> =>
      scene.templates().create(COMMAND_LINE, {
        ...{ botId: account.botId, channel: 'waba_coexistence', name, language: 'ru', category: 'utility' },
        ...{ parameterFormat: 'positional', header: null, body: 'Привет!', footer: null },
        ...{ buttons: [], examples: {}, addSecurityRecommendation: false, codeExpirationMinutes: null },
        ...change,
      }),

    mend: (id: string, change: TemplateChange): Promise<GovernedTemplate> =>
      scene.templates().mend(COMMAND_LINE, id, change),

    submit: (id: string): Promise<GovernedTemplate> => scene.moderation().submit(COMMAND_LINE, id),

    synchronise: (botId: string = account.botId): ReturnType<TemplateModerationService['synchronise']> =>
      scene.moderation().synchronise(COMMAND_LINE, botId, 'waba_coexistence'),

    read: (id: string): Promise<GovernedTemplate> => scene.templates().get(COMMAND_LINE, id),

    /** All of a bot, by name and language. */
    async kept(botId: string = account.botId): Promise<GovernedTemplate[]> {
      const query = { botId, channel: null, status: null };
      const all = await scene.templates().list(COMMAND_LINE, query, null, 200);
      const place = ({ name, language }: GovernedTemplate): string => `${name} ${language}`;
      return all.sort((a, b) => (place(a) < place(b) ? -1 : 1));
    },

    /** A draft that the provider has accepted under its own id. */
    async submitted(
      name: string,
      botId: string = account.botId,
      providerId: string = ascendingId(),
    ): Promise<GovernedTemplate> {
      gateway.onCreate = () => Promise.resolve({ ok: true, providerId, status: 'pending' });
      return scene.submit((await scene.draft(name, { botId })).id);
    },

    /** One that the provider knows and has rejected. */
    async rejected(name: string, botId?: string): Promise<GovernedTemplate> {
      const { id, provider_id: providerId } = await scene.submitted(name, botId);
      await scene.report({
        providerId: providerId!,
        status: 'rejected',
        reason: 'INVALID_FORMAT',
        at: new Date(),
      });
      return scene.read(id);
    },

    /** What a process does with reports that come by webhook. */
    listener(): (change: Partial<TemplateReport>) => Promise<void> {
      const handler = new TemplateReportHandler(
        new WebhookChannelRepository(db),
        scene.templates(),
        scene.moderation(),
        new EventNotifier(),
      );
      return (change) =>
        handler.apply({ provider: 'cloud', botId: null, signedFor: null } as WebhookSource, {
          ...{ kind: 'template', providerId: ascendingId(), name: '', language: 'ru', status: null },
          ...{ category: null, reason: null, at: new Date(), businessId: WABA, ...change },
        });
    },

    /** A report comes by webhook. */
    hear: (change: Partial<TemplateReport>): Promise<void> => scene.listener()(change),

    /** @param at the bot, if one is named, and the channel of the address that the report came to */
    report: (change: Partial<TemplateReport>, at: Partial<TemplatesMeant> = {}): Promise<boolean> =>
      scene.templates().report(
        { accountId: account.id, botId: null, channel: 'waba_coexistence', ...at },
        {
          ...{
            kind: 'template',
            providerId: ascendingId(),
            name: 'none',
            language: 'ru',
            status: 'approved',
          },
          ...{ category: null, reason: null, at: null, businessId: null },
          ...change,
        },
      ),
  };
  return scene;
}

export const { set: setTemplateScene } = sceneOf(makeTemplateScene);

/** A template as a provider lists it. */
export function listed(name: string, change: Partial<ProviderTemplate> = {}): ProviderTemplate {
  return {
    ...{
      providerId: `id of ${name}`,
      name,
      language: 'ru',
      category: 'utility',
      status: 'approved',
      quality: null,
      reason: null,
    },
    ...{ parameterFormat: 'positional', header: null, body: 'Привет!', footer: null, buttons: [] },
    ...{ addSecurityRecommendation: false, codeExpirationMinutes: null, examples: {} },
    ...change,
  };
}
