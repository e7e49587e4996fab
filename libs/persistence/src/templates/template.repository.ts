import type { Channel } from '@app/contracts/message.words';
import type {
  ParameterFormat,
  TemplateButton,
  TemplateHeader,
  TemplateStatus,
} from '@app/contracts/template.words';
import { Injectable } from '@nestjs/common';
import { Database, type PreparedStatement } from '../database/database.service';

/** A template of a bot's registry, as sending needs it. */
export interface RegisteredTemplate {
  name: string;
  /** The provider's id; null for one that was never submitted. */
  provider_id: string | null;
  language: string;
  body: string;
  header: TemplateHeader | null;
  footer: string | null;
  buttons: TemplateButton[];
  /** Distinct variables of the body. */
  params_count: number;
  parameter_format: ParameterFormat;
  /** The names of the body's variables in the order in which they first stand there; none where they are numbers. */
  param_names: string[];
  status: TemplateStatus;
}

const RESOLVE: PreparedStatement = {
  name: 'template-resolve',
  text: `SELECT name, provider_id, language, body, header, footer, buttons, params_count, parameter_format, param_names, status
           FROM templates
          WHERE account_id = $1 AND bot_id = $2 AND channel = $3 AND template_id = $4 AND language = $5`,
};

/** The registry of templates: by bot, channel, our own name for them and language. */
@Injectable()
export class TemplateRepository {
  constructor(private readonly database: Database) {}

  /** @returns null for a template that is not registered. */
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
}
