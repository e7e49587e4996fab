import { Audit } from '@app/domain/audit/audit.service';
import { AuditRepository } from '@app/persistence/audit/audit.repository';
import { randomBytes, randomUUIDv7 } from 'node:crypto';
import type { Channel } from '@app/contracts/message.words';
import { COMMAND_LINE } from '@app/domain/accounts/principal.rules';
import { EventNotifier } from '@app/domain/events/event-notifier.service';
import { BotAccess } from '@app/domain/messages/bot.access';
import { boundTo } from '@app/domain/messages/credential.owner';
import { ChannelConnections } from '@app/domain/messages/channel-connections.service';
import type { ChannelConnection } from '@app/domain/messages/message-sender.port';
import type { TemplateReport } from '@app/domain/webhooks/provider.events';
import {
  TemplateGateway,
  type ProviderTemplate,
  type TemplateDefinition,
  type TemplateGatewayFailure,
} from '@app/domain/templates/template-gateway.port';
import type { GovernedTemplate } from '@app/domain/templates/template.presenter';
import { TemplateModerationService } from '@app/domain/templates/template-moderation.service';
import { SendingHold } from '@app/domain/work/sending-hold.service';
import { TemplatesService, type TemplateChange } from '@app/domain/templates/templates.service';
import { AesChannelCipher } from '@app/integrations/cipher/aes-channel.cipher';
import { BotChannelRepository } from '@app/persistence/bots/bot-channel.repository';
import { BotChannelEntity } from '@app/persistence/bots/bot-channel.entity';
import { BotEntity } from '@app/persistence/bots/bot.entity';
import { BotRepository } from '@app/persistence/bots/bot.repository';
import { Database, ReservedDatabase, WorkDatabase } from '@app/persistence/database/database.service';
import { InFlightLimiter } from '@app/contracts/in-flight.limiter';
import { BotOwnerRepository } from '@app/persistence/messages/bot-owner.repository';
import { ChannelConnectionRepository } from '@app/persistence/messages/channel-connection.repository';
import { SendingHoldRepository } from '@app/persistence/work/sending-hold.repository';
import { TemplateListRepository } from '@app/persistence/templates/template-list.repository';
import {
  TemplateModerationRepository,
  type TemplatesMeant,
} from '@app/persistence/templates/template-moderation.repository';
import { TemplateEntity } from '@app/persistence/templates/template.entity';
import { TemplateRepository } from '@app/persistence/templates/template.repository';
import { EntitySource } from '../database/entity.source';
import { AccountFixture } from '../database/fixture';
import { createDatabase, type TestDatabase } from '../database/test.database';

type Creation = Awaited<ReturnType<TemplateGateway['create']>>;
type Listing = Awaited<ReturnType<TemplateGateway['list']>>;

/** A provider in memory with scripted answers, which records its requests. */
export class ToldGateway extends TemplateGateway {
  readonly channels: readonly Channel[] = ['waba_coexistence', 'waba'];
  readonly created: { connection: ChannelConnection; template: TemplateDefinition }[] = [];
  readonly edited: { connection: ChannelConnection; providerId: string; template: TemplateDefinition }[] = [];
  onCreate: () => Promise<Creation> = () =>
    Promise.resolve({ ok: true, providerId: 'none', status: 'pending' });
  /** Taken, unless a test says otherwise. */
  onEdit: ((providerId: string) => Promise<Creation>) | null = null;
  onList: () => Promise<Listing> = () => Promise.resolve({ ok: true, templates: [] });

  create(connection: ChannelConnection, template: TemplateDefinition): Promise<Creation> {
    this.created.push({ connection, template });
    return this.onCreate();
  }

  edit(connection: ChannelConnection, providerId: string, template: TemplateDefinition): Promise<Creation> {
    this.edited.push({ connection, providerId, template });
    return this.onEdit?.(providerId) ?? Promise.resolve({ ok: true, providerId, status: 'pending' });
  }

  list(): Promise<Listing> {
    return this.onList();
  }

  lists(...templates: ProviderTemplate[]): void {
    this.onList = () => Promise.resolve({ ok: true, templates });
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
export class TemplateScene {
  readonly gateway = new ToldGateway();
  private readonly cipher = new AesChannelCipher(randomBytes(32).toString('hex'));
  private senders = 400_000_000_000_000;

  private constructor(
    readonly database: TestDatabase,
    readonly account: AccountFixture,
    private readonly db: Database,
    private readonly orm: EntitySource,
  ) {}

  static async open(): Promise<TemplateScene> {
    const database = await createDatabase();
    const db = new Database(database.pool, new InFlightLimiter(16));
    const scene = new TemplateScene(
      database,
      await AccountFixture.create(database.pool),
      db,
      await EntitySource.open(database),
    );
    await scene.connect(scene.account, scene.account.botId);
    return scene;
  }

  private readonly registry = (): TemplateRepository =>
    new TemplateRepository(
      this.orm.of(TemplateEntity),
      this.orm.entities,
      this.db,
      new AuditRepository(this.db),
    );

  private readonly moderated = (): TemplateModerationRepository =>
    new TemplateModerationRepository(this.orm.entities, this.db, new AuditRepository(this.db));

  readonly templates = (): TemplatesService =>
    new TemplatesService(
      this.registry(),
      this.moderated(),
      new BotRepository(this.orm.of(BotEntity), this.orm.entities, new AuditRepository(this.db)),
      new BotAccess(new BotOwnerRepository(this.db)),
      new Audit(new AuditRepository(this.db)),
    );

  readonly moderation = (): TemplateModerationService =>
    new TemplateModerationService(
      this.registry(),
      this.moderated(),
      new TemplateListRepository(this.db, new AuditRepository(this.db)),
      new BotRepository(this.orm.of(BotEntity), this.orm.entities, new AuditRepository(this.db)),
      new ChannelConnections(
        new ChannelConnectionRepository(this.db, new WorkDatabase(this.database.pool)),
        this.cipher,
      ),
      { of: () => this.gateway },
      new Audit(new AuditRepository(this.db)),
      new EventNotifier(),
      new SendingHold(
        new SendingHoldRepository(new ReservedDatabase(this.database.pool, new InFlightLimiter(1))),
      ),
    );

  /** A separate bot, connected, so that a list of the provider is about one test only. */
  async addBot(account = this.account): Promise<string> {
    const botId = await account.addBot();
    await this.connect(account, botId);
    return botId;
  }

  private async connect(account: AccountFixture, botId: string): Promise<void> {
    const [accountId, channel] = [account.id, 'waba_coexistence' as const];
    const credential = this.cipher.seal('the token', boundTo(accountId, botId, channel));
    const number = { sender: String(++this.senders), settings: { waba_id: WABA }, messagesPerSecond: null };
    await new BotChannelRepository(
      this.orm.of(BotChannelEntity),
      this.orm.entities,
      new AuditRepository(this.db),
    ).connect(
      {
        accountId,
        botId,
        channel,
        credential,
        ...number,
      },
      () => null,
    );
  }

  draft(name: string, change: Partial<TemplateDefinition> & { templateId?: string; botId?: string } = {}) {
    return this.templates().create(COMMAND_LINE, {
      ...{
        botId: this.account.botId,
        channel: 'waba_coexistence',
        name,
        language: 'ru',
        category: 'utility',
      },
      ...{
        parameterFormat: 'positional',
        header: null,
        body: 'Привет!',
        footer: null,
        buttons: [],
        examples: {},
      },
      ...change,
    });
  }

  mend = (id: string, change: TemplateChange): Promise<GovernedTemplate> =>
    this.templates().mend(COMMAND_LINE, id, change);

  submit = (id: string): Promise<GovernedTemplate> => this.moderation().submit(COMMAND_LINE, id);

  synchronise = (botId = this.account.botId) =>
    this.moderation().synchronise(COMMAND_LINE, botId, 'waba_coexistence');

  read = (id: string): Promise<GovernedTemplate> => this.templates().get(COMMAND_LINE, id);

  /** All of a bot, by name and language. */
  async kept(botId = this.account.botId): Promise<GovernedTemplate[]> {
    const query = { botId, channel: null, status: null };
    const all = await this.templates().list(COMMAND_LINE, query, null, 200);
    const place = ({ name, language }: GovernedTemplate): string => `${name} ${language}`;
    return all.sort((a, b) => (place(a) < place(b) ? -1 : 1));
  }

  /** A draft that the provider has accepted under its own id. */
  async submitted(
    name: string,
    botId?: string,
    providerId: string = randomUUIDv7(),
  ): Promise<GovernedTemplate> {
    this.gateway.onCreate = () => Promise.resolve({ ok: true, providerId, status: 'pending' });
    return this.submit((await this.draft(name, { botId: botId ?? this.account.botId })).id);
  }

  /** One that the provider knows and has rejected. */
  async rejected(name: string, botId?: string): Promise<GovernedTemplate> {
    const { id, provider_id: providerId } = await this.submitted(name, botId);
    await this.report({
      providerId: providerId!,
      status: 'rejected',
      reason: 'INVALID_FORMAT',
      at: new Date(),
    });
    return this.read(id);
  }

  /** @param at the bot, if one is named, and the channel of the address that the report came to */
  report = (change: Partial<TemplateReport>, at: Partial<TemplatesMeant> = {}): Promise<boolean> =>
    this.templates().report(
      { accountId: this.account.id, botId: null, channel: 'waba_coexistence', ...at },
      {
        ...{ kind: 'template', providerId: randomUUIDv7(), name: 'none', language: 'ru', status: 'approved' },
        ...{ category: null, reason: null, at: null, businessId: null },
        ...change,
      },
    );

  async close(): Promise<void> {
    await this.orm.close();
    await this.database.drop();
  }
}

/** A template as a provider lists it. */
export function listed(name: string, change: Partial<ProviderTemplate> = {}): ProviderTemplate {
  return {
    ...{
      providerId: `id of ${name}`,
      name,
      language: 'ru',
      category: 'utility',
      status: 'approved',
      reason: null,
    },
    ...{ parameterFormat: 'positional', header: null, body: 'Привет!', footer: null, buttons: [] },
    ...change,
  };
}
