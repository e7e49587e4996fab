import type { Channel } from '@app/contracts/message.words';
import type { TemplateStatus } from '@app/contracts/template.words';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Brackets, In, MoreThan, type QueryDeepPartialEntity, type Repository } from 'typeorm';
import { inAccount, ownerOf, type Reach } from '../accounts/reach-scope';
import { AuditRepository, type AuditEntryOf, type Changed } from '../audit/audit.repository';
import { CLOCK } from '../database/column-defaults';
import { violatedIndex, violatedReference } from '../database/database.errors';
import { Database } from '../database/database.service';
import { Entities } from '../database/entities.service';
import { requireRoom } from '../database/room-check';
import { returnedRow, type OrNull } from '../database/row-types';
import { statement } from '../database/sql.statements';
import { type TemplateContent, type TemplateRow, TemplateEntity } from './template.entity';

/**
 * A template of a bot's registry, as sending needs it. Its body and its provider's id are those of the language asked
 * for; null where it is not registered in that language.
 */
export type RegisteredTemplate = Pick<
  TemplateRow,
  'name' | 'parameter_format' | 'param_names' | 'header' | 'buttons'
> &
  OrNull<Pick<TemplateRow, 'provider_id' | 'body'>>;

export type NewTemplate = Omit<
  TemplateRow,
  'status' | 'provider_id' | 'quality' | 'reason' | 'status_at' | 'created_at' | 'updated_at'
>;

/** A template with its mark. */
export type ReadTemplate = TemplateEntity;

export interface TemplateFilter {
  botId: string | null;
  channel: Channel | null;
  status: TemplateStatus | null;
}

export type TemplateCreation = TemplateRow | 'exists' | 'no_channel';

/**
 * The template in the language asked for, else the newest of the other languages: the provider may have a translation
 * with the same name that is not registered here. Fields that belong to one language are not taken from another.
 */
const RESOLVE = statement('template-resolve').takes('accountId', 'botId', 'channel', 'templateId', 'language')
  .returns<RegisteredTemplate>(`
  SELECT name, parameter_format, param_names, header, buttons, CASE WHEN language = :language THEN provider_id END AS provider_id,
         CASE WHEN language = :language THEN body END AS body
    FROM templates
   WHERE account_id = :accountId AND bot_id = :botId AND channel = :channel AND template_id = :templateId
   ORDER BY language = :language DESC, id DESC LIMIT 1`);

/** What a template needs of whoever sends it, and what it says. */
export type NeededTemplate = RegisteredTemplate &
  Pick<TemplateRow, 'template_id' | 'language' | 'channel' | 'params_count'>;

const OF_AGENT = statement('templates-of-agent').takes('accountId', 'assistantId', 'templateIds')
  .returns<NeededTemplate>(`
  SELECT t.template_id, t.language, t.channel, t.name, t.header, t.body, t.buttons, t.parameter_format, t.params_count,
         t.param_names, t.provider_id
    FROM bots b JOIN templates t ON t.account_id = b.account_id AND t.bot_id = b.id
   WHERE b.account_id = :accountId AND b.assistant_id = :assistantId AND t.template_id = ANY (:templateIds::text[])
   ORDER BY t.id`);

/** A template belongs to the agent of its bot. */
const ofReach = (reach: Reach) =>
  new Brackets((where) => {
    where.where(inAccount(reach));
    if (reach.assistantIds === null) return;
    where.andWhere(
      'EXISTS (SELECT FROM bots b WHERE b.account_id = template.account_id AND b.id = template.bot_id AND b.assistant_id = ANY (:reached))',
      { reached: reach.assistantIds },
    );
  });

/** The registry of templates: by bot, channel, our name for them and language. */
@Injectable()
export class TemplateRepository {
  constructor(
    @InjectRepository(TemplateEntity) private readonly templates: Repository<TemplateEntity>,
    private readonly entities: Entities,
    private readonly database: Database,
    private readonly audit: AuditRepository,
  ) {}

  /** @returns null for a template that is registered in no language. */
  async resolve(
    accountId: string,
    botId: string,
    channel: Channel,
    templateId: string,
    language: string,
  ): Promise<RegisteredTemplate | null> {
    const values = { accountId, botId, channel, templateId, language };
    const [template] = await this.database.runFor(accountId, RESOLVE, values);
    return template ?? null;
  }

  /** Those of all bots of an agent, by our names for them, in all languages. */
  async ofAgent(
    accountId: string,
    assistantId: string,
    templateIds: readonly string[],
  ): Promise<NeededTemplate[]> {
    return this.database.runFor(accountId, OF_AGENT, { accountId, assistantId, templateIds });
  }

  /** All of a bot's channel, by our name and language. With a status, only those. */
  async listOfBot(
    accountId: string,
    botId: string,
    channel: Channel,
    status: TemplateStatus | null,
  ): Promise<TemplateRow[]> {
    const where = { account_id: accountId, bot_id: botId, channel, ...(status !== null && { status }) };
    return this.entities.useFor(accountId, this.templates, (templates) =>
      templates.find({ where, order: { template_id: 'ASC', language: 'ASC' } }),
    );
  }

  /** For admins, in the order of their creation. */
  async list(reach: Reach, filter: TemplateFilter, afterId: string, limit: number): Promise<TemplateRow[]> {
    const { botId, channel, status } = filter;
    const where = {
      id: MoreThan(afterId),
      ...(botId !== null && { bot_id: botId }),
      ...(channel !== null && { channel }),
      ...(status !== null && { status }),
    };
    return this.entities.useFor(ownerOf(reach), this.templates, (templates) =>
      templates
        .createQueryBuilder('template')
        .where(where)
        .andWhere(ofReach(reach))
        .orderBy('template.id', 'ASC')
        .limit(limit)
        .getMany(),
    );
  }

  /** For admins: the account is known only from the template. */
  async find(reach: Reach, id: string): Promise<ReadTemplate | null> {
    return this.entities.useFor(ownerOf(reach), this.templates, (templates) =>
      templates
        .createQueryBuilder('template')
        .addSelect('template.mark')
        .where({ id })
        .andWhere(ofReach(reach))
        .getOne(),
    );
  }

  /** Registers a draft. */
  async create(
    template: NewTemplate,
    most: number,
    entryOf: AuditEntryOf<Changed<TemplateRow>>,
  ): Promise<TemplateCreation> {
    const values: QueryDeepPartialEntity<TemplateEntity> = { ...template, status: 'draft' };
    try {
      return await this.entities.transactFor(template.account_id, async (manager) => {
        const { account_id, bot_id, channel } = template;
        const ofNumber = { account_id, bot_id, channel };
        await requireRoom(manager, TemplateEntity, ofNumber, {
          most,
          what: 'templates of a number',
          remedy: 'delete',
        });
        const insert = manager.createQueryBuilder().insert().into(TemplateEntity).values(values);
        const after = returnedRow<TemplateRow>(await insert.returning('*').execute());
        if (!after) return 'no_channel';
        await this.audit.append(manager, entryOf({ before: null, after }));
        return after;
      });
    } catch (error) {
      if (violatedReference(error) !== null) return 'no_channel';
      if (violatedIndex(error) !== null) return 'exists';
      throw error;
    }
  }

  /**
   * A submission that came first has changed the state and the mark.
   * @returns null when it is neither a draft nor rejected, or has been changed since it was read.
   */
  async mend(
    read: ReadTemplate,
    content: TemplateContent,
    entryOf: AuditEntryOf<Changed<TemplateRow>>,
  ): Promise<TemplateRow | null> {
    const change = { ...content, updated_at: CLOCK };
    return this.entities.transactFor(read.account_id, async (manager) => {
      const update = manager
        .createQueryBuilder()
        .update(TemplateEntity)
        .set(change)
        .where({ account_id: read.account_id, id: read.id, status: In(['draft', 'rejected']) })
        .andWhere('updated_at = CAST(:mark AS timestamptz)', { mark: read.mark });
      const after = returnedRow<TemplateRow>(await update.returning('*').execute());
      // It is as it was read, by the mark.
      if (after) await this.audit.append(manager, entryOf({ before: read, after }));
      return after;
    });
  }

  /** @returns null when there is no such draft. */
  async removeDraft(
    accountId: string,
    id: string,
    entryOf: AuditEntryOf<Changed<TemplateRow>>,
  ): Promise<TemplateRow | null> {
    return this.entities.transactFor(accountId, async (manager) => {
      const removal = manager
        .createQueryBuilder()
        .delete()
        .from(TemplateEntity)
        .where({ account_id: accountId, id, status: 'draft' });
      const before = returnedRow<TemplateRow>(await removal.returning('*').execute());
      if (before) await this.audit.append(manager, entryOf({ before, after: null }));
      return before;
    });
  }
}
