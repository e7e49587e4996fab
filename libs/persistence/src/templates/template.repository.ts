import type { Channel } from '@app/contracts/message.words';
import type { TemplateStatus } from '@app/contracts/template.words';
import { Injectable } from '@nestjs/common';
import { violatedIndex } from '../database/database.errors';
import { Database, type PreparedStatement } from '../database/database.service';
import { TEMPLATE_COLUMNS, type TemplateContent, type TemplateRow } from './template.columns';

/** A template of a bot's registry, as sending needs it. */
export interface RegisteredTemplate extends Pick<TemplateRow, 'name' | 'parameter_format' | 'param_names'> {
  /** In the language asked for; null too where it is registered in others only. */
  provider_id: string | null;
  /** In the language asked for; null where it is registered in others only. */
  body: string | null;
}

export type NewTemplate = Omit<
  TemplateRow,
  'status' | 'provider_id' | 'reason' | 'status_at' | 'created_at' | 'updated_at'
>;

/** A template with a mark by which nothing has touched it since it was read. */
export interface ReadTemplate extends TemplateRow {
  mark: string;
}

export interface TemplateFilter {
  botId: string | null;
  channel: Channel | null;
  status: TemplateStatus | null;
}

export type TemplateCreation = TemplateRow | 'exists' | 'no_channel';

/**
 * In the language asked for, else the newest of the others: the provider may have a translation that is not registered
 * here, of the same name. What belongs to one language alone is not taken from another.
 * $1 account $2 bot $3 channel $4 our name for it $5 language
 */
const RESOLVE: PreparedStatement = {
  name: 'template-resolve',
  text: `SELECT name, parameter_format, param_names, CASE WHEN language = $5 THEN provider_id END AS provider_id,
                CASE WHEN language = $5 THEN body END AS body
           FROM templates WHERE account_id = $1 AND bot_id = $2 AND channel = $3 AND template_id = $4
          ORDER BY language = $5 DESC, id DESC LIMIT 1`,
};
const OF_BOT: PreparedStatement = {
  name: 'template-of-bot',
  text: `SELECT ${TEMPLATE_COLUMNS} FROM templates t
          WHERE t.account_id = $1 AND t.bot_id = $2 AND t.channel = $3 AND ($4::text IS NULL OR t.status = $4)
          ORDER BY t.template_id, t.language`,
};
const LIST: PreparedStatement = {
  name: 'template-list',
  text: `SELECT ${TEMPLATE_COLUMNS} FROM templates t
          WHERE t.id > $4 AND ($1::uuid IS NULL OR t.bot_id = $1) AND ($2::text IS NULL OR t.channel = $2)
            AND ($3::text IS NULL OR t.status = $3)
          ORDER BY t.id LIMIT $5`,
};
const FIND: PreparedStatement = {
  name: 'template-find',
  text: `SELECT ${TEMPLATE_COLUMNS}, t.updated_at::text AS mark FROM templates t WHERE t.id = $1 LIMIT 1`,
};
const CREATE: PreparedStatement = {
  name: 'template-create',
  text: `INSERT INTO templates AS t (account_id, id, bot_id, channel, template_id, name, language, category,
           parameter_format, header, body, footer, buttons, examples, params_count, param_names, status)
         SELECT account_id, $2, bot_id, channel, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, 'draft'
           FROM bot_channels WHERE account_id = $1 AND bot_id = $3 AND channel = $4
         RETURNING ${TEMPLATE_COLUMNS}`,
};
/** A submission that is quicker has changed the state and the mark, so this finds nothing. */
const MEND: PreparedStatement = {
  name: 'template-mend',
  text: `UPDATE templates t
            SET category = $4, header = $5, body = $6, footer = $7, buttons = $8, examples = $9, params_count = $10,
                param_names = $11, updated_at = clock_timestamp()
          WHERE t.account_id = $1 AND t.id = $2 AND t.updated_at = $3::timestamptz AND t.status IN ('draft', 'rejected')
         RETURNING ${TEMPLATE_COLUMNS}`,
};
const REMOVE_DRAFT: PreparedStatement = {
  name: 'template-remove-draft',
  text: `DELETE FROM templates t WHERE t.account_id = $1 AND t.id = $2 AND t.status = 'draft' RETURNING ${TEMPLATE_COLUMNS}`,
};

/** The registry of templates: by bot, channel, our own name for them and language. */
@Injectable()
export class TemplateRepository {
  constructor(private readonly database: Database) {}

  /** @returns null for a template that is registered in no language. */
  async resolve(
    accountId: string,
    botId: string,
    channel: Channel,
    templateId: string,
    language: string,
  ): Promise<RegisteredTemplate | null> {
    const values = [accountId, botId, channel, templateId, language];
    const [template] = await this.database.runFor<RegisteredTemplate>(accountId, RESOLVE, values);
    return template ?? null;
  }

  /** All of a bot's channel, by our name and language; of one status when it is given. */
  async listOfBot(
    accountId: string,
    botId: string,
    channel: Channel,
    status: TemplateStatus | null,
  ): Promise<TemplateRow[]> {
    return this.database.runFor<TemplateRow>(accountId, OF_BOT, [accountId, botId, channel, status]);
  }

  /** Across accounts, for the installation's admin, in the order of their making. */
  async list(filter: TemplateFilter, afterId: string, limit: number): Promise<TemplateRow[]> {
    const { botId, channel, status } = filter;
    return this.database.run<TemplateRow>(LIST, [botId, channel, status, afterId, limit]);
  }

  /** Across accounts, for the installation's admin: a template tells its account. */
  async find(id: string): Promise<ReadTemplate | null> {
    const [template] = await this.database.run<ReadTemplate>(FIND, [id]);
    return template ?? null;
  }

  /** Registers a draft. */
  async create(template: NewTemplate): Promise<TemplateCreation> {
    const { account_id, id, bot_id, channel, template_id, name, language, category } = template;
    const { parameter_format, header, body, footer, buttons, examples } = template;
    try {
      const [row] = await this.database.run<TemplateRow>(CREATE, [
        ...[account_id, id, bot_id, channel, template_id, name, language, category],
        ...[parameter_format, header, body, footer, JSON.stringify(buttons), examples],
        ...[template.params_count, template.param_names],
      ]);
      return row ?? 'no_channel';
    } catch (error) {
      if (violatedIndex(error) !== null) return 'exists';
      throw error;
    }
  }

  /** @returns null when it is neither a draft nor rejected, or has been changed since it was read. */
  async mend(read: ReadTemplate, content: TemplateContent): Promise<TemplateRow | null> {
    const { category, header, body, footer, buttons, examples, params_count, param_names } = content;
    const [template] = await this.database.run<TemplateRow>(MEND, [
      ...[read.account_id, read.id, read.mark, category, header, body, footer, JSON.stringify(buttons)],
      ...[examples, params_count, param_names],
    ]);
    return template ?? null;
  }

  /** @returns null when there is no such draft. */
  async removeDraft(accountId: string, id: string): Promise<TemplateRow | null> {
    const [template] = await this.database.run<TemplateRow>(REMOVE_DRAFT, [accountId, id]);
    return template ?? null;
  }
}
