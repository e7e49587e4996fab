import { demoId } from '@app/contracts/demo-ids';
import { CHANNELS } from '@app/contracts/message.words';
import {
  OTP_TYPES,
  PARAMETER_FORMATS,
  TEMPLATE_CATEGORIES,
  TEMPLATE_QUALITIES,
  TEMPLATE_STATUSES,
} from '@app/contracts/template.words';
import { ApiProperty } from '../http/docs/openapi.decorator';
import { PHONE_COUNTRY } from '../http/dto/phone-country.answer';

export const HEADER_FORMATS = ['text', 'image', 'video', 'document', 'location'] as const;
export const BUTTON_TYPES = ['quick_reply', 'url', 'phone_number', 'copy_code', 'otp'] as const;
/** What a template may have besides; it is made and filled at the provider alone. */
const OTHER = 'other';

const EXAMPLE_TIME = '2026-11-20T09:30:00.000Z';

class HeaderAnswer {
  @ApiProperty({
    enum: [...HEADER_FORMATS, OTHER],
    description: '`other`: a kind that can be neither filled nor submitted here',
  })
  format: string;

  @ApiProperty({ required: false, description: 'When the format is `text`' })
  text?: string;
}

class ButtonAnswer {
  @ApiProperty({
    enum: [...BUTTON_TYPES, OTHER],
    description:
      '`other`: a kind that can be neither filled nor submitted here; it counts as a place, by which values name their buttons',
  })
  type: string;

  @ApiProperty({
    description:
      'The label; of `copy_code` a sample of the code; of `otp` empty where WhatsApp writes its own',
  })
  text: string;

  @ApiProperty({
    required: false,
    enum: OTP_TYPES,
    description: 'Of `otp`, the button of an authentication template: how it hands over the code',
  })
  otp_type?: string;

  @ApiProperty({ required: false, description: 'Of `url`' })
  url?: string;

  @ApiProperty({ required: false, description: 'Of `phone_number`' })
  phone_number?: string;
}

class ExamplesAnswer {
  @ApiProperty({ required: false })
  header?: string;

  @ApiProperty({ required: false })
  media_id?: string;

  @ApiProperty({ type: [String], required: false })
  body?: string[];
}

export class TemplateAnswer {
  @ApiProperty({ description: 'By which send-template names it', example: 'visit_reminder' })
  template_id: string;

  @ApiProperty({ description: 'By which the provider knows it', example: 'visit_reminder' })
  name: string;

  @ApiProperty({ example: 'ru' })
  language: string;

  @ApiProperty({ enum: TEMPLATE_STATUSES, description: 'Only `approved` can be sent' })
  status: string;

  @ApiProperty({ enum: TEMPLATE_CATEGORIES })
  category: string;

  @ApiProperty({ example: 'Здравствуйте, {{1}}! Ждём вас {{2}}.' })
  body: string;

  @ApiProperty({ type: HeaderAnswer, nullable: true })
  header: HeaderAnswer | null;

  @ApiProperty({ type: String, nullable: true })
  footer: string | null;

  @ApiProperty({ type: [ButtonAnswer] })
  buttons: ButtonAnswer[];

  @ApiProperty({
    type: 'integer',
    description: 'How many values send-template takes in `params`',
    example: 2,
  })
  params_count: number;
}

export class TemplatesOfBotAnswer {
  @ApiProperty({ type: [TemplateAnswer] })
  templates: TemplateAnswer[];

  @ApiProperty({ type: String, nullable: true, example: 'KZ', description: PHONE_COUNTRY })
  phone_country: string | null;
}

export class GovernedTemplateAnswer extends TemplateAnswer {
  @ApiProperty({ example: demoId('template', 1) })
  id: string;

  @ApiProperty({ example: demoId('account', 1) })
  account_id: string;

  @ApiProperty({ example: demoId('bot', 1) })
  bot_id: string;

  @ApiProperty({ enum: CHANNELS })
  channel: string;

  @ApiProperty({ enum: PARAMETER_FORMATS })
  parameter_format: string;

  @ApiProperty({
    type: [String],
    description: 'Names of the variables, in order; empty where they are numbers',
  })
  param_names: string[];

  @ApiProperty({ type: ExamplesAnswer })
  examples: ExamplesAnswer;

  @ApiProperty({ type: String, nullable: true, description: "The provider's id, once it is known" })
  provider_id: string | null;

  @ApiProperty({
    enum: TEMPLATE_QUALITIES,
    nullable: true,
    example: 'green',
    description: 'How customers have taken it, as the provider judges; null: it has not said so',
  })
  quality: string | null;

  @ApiProperty({
    description: 'Of an authentication template: WhatsApp adds its advice to share the code with nobody',
  })
  add_security_recommendation: boolean;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description:
      'Of an authentication template: for how long its footer says that the code is good; null: it has no footer',
  })
  code_expiration_minutes: number | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Why it was refused, paused or disabled; of a pending one why its outcome is unknown',
  })
  reason: string | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    example: EXAMPLE_TIME,
    description: 'When the provider last said how it stands',
  })
  status_at: string | null;

  @ApiProperty({ format: 'date-time', example: EXAMPLE_TIME })
  created_at: string;

  @ApiProperty({ format: 'date-time', example: EXAMPLE_TIME })
  updated_at: string;
}

export class TemplateListAnswer {
  @ApiProperty({ type: [GovernedTemplateAnswer] })
  templates: GovernedTemplateAnswer[];

  @ApiProperty({ type: String, nullable: true })
  next_cursor: string | null;
}

export class SynchronisationAnswer {
  @ApiProperty({ type: 'integer', description: 'What the provider has, as far as it can be read' })
  listed: number;

  @ApiProperty({
    type: 'integer',
    description:
      'Templates of the provider that cannot be read: they stay as they are known here, and nothing is disabled',
  })
  unreadable: number;

  @ApiProperty({ type: 'integer', description: 'New here' })
  added: number;

  @ApiProperty({ type: 'integer', description: 'Known here, and different there' })
  changed: number;

  @ApiProperty({ type: 'integer', description: 'Known here, and no longer there' })
  disabled: number;
}
