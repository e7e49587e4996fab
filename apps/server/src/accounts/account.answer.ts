import { TAKEOVER_ENDS } from '@app/contracts/lead.words';
import { demoId } from '@app/contracts/demo-ids';
import { ApiProperty } from '../http/docs/openapi.decorator';
import { OpeningHoursSchema } from '../http/dto/opening-hours.answer';

export const QUOTA = 'Recipients in a calendar month (UTC); null is unlimited';

export const MEDIA_QUOTA = 'How many bytes of files it may store; null is unlimited';

export const AUTOMATION_PAUSED =
  'Whether all that the account does to customers by itself is held: runs of scenarios, and replies of agents';

export const SECOND_FACTOR_REQUIRED =
  'Whether its people may do nothing before they have enabled a second factor';

export const RETENTION =
  'After so many days without activity a dialog is erased, as by `threads/{id}/erase`; null: none is';

export const DEFAULT_COUNTRY =
  'The country in which phones of files are read that do not say theirs, by ISO 3166 (`KZ`); null: the country of the bot’s number';

export const TIMEZONE =
  'Whose clock its agents know, so that they understand “tomorrow”: a name of the IANA database, such as `Asia/Almaty`';

export const OPENING_HOURS =
  'When it is open, by the clock of its `timezone`; null: not set. Its agents know the hours, whether it is open now, and when it opens next';

export const TAKEOVER_END =
  'What becomes of a customer whose message still has no answer when a takeover ends by itself. `ask`: the agent returns, and a person is asked for. `answer`: the agent takes the message up. `keep`: the takeover goes on until a person or a call ends it, and a person is asked for';

export const TRANSCRIPTION =
  'Whether what its customers say in voice notes and audio is written down, where the installation has a model for it (`AI_TRANSCRIPTION_MODEL`)';

export const ASSIGN_ON_REPLY =
  'Whether a person who answers a dialog that is assigned to nobody becomes its assignee';

export const OPT_OUT_WORDS =
  'By which its customers opt out, beside those that are known in each language: a message that is such a word and nothing else';

export const OPT_IN_WORDS = 'By which its customers opt in again, in the same way';

export class AccountAnswer {
  @ApiProperty({ example: demoId('account', 1) })
  id: string;

  @ApiProperty({ example: 'Harbour Coffee' })
  name: string;

  @ApiProperty({ type: 'integer', nullable: true, example: 10_000, description: QUOTA })
  monthly_message_quota: number | null;

  @ApiProperty({ type: 'integer', description: 'Recipients reserved in the running month' })
  quota_used: number;

  @ApiProperty({
    format: 'date-time',
    example: '2026-12-01T00:00:00.000Z',
    description: 'When the next month begins',
  })
  quota_reset_at: string;

  @ApiProperty({ type: 'integer', nullable: true, example: null, description: MEDIA_QUOTA })
  media_quota_bytes: number | null;

  @ApiProperty({ type: 'integer', description: 'Bytes of files that it stores; equal files count once' })
  media_used_bytes: number;

  @ApiProperty({ description: AUTOMATION_PAUSED, example: false })
  automation_paused: boolean;

  @ApiProperty({ description: SECOND_FACTOR_REQUIRED, example: false })
  second_factor_required: boolean;

  @ApiProperty({ type: 'integer', nullable: true, example: null, description: RETENTION })
  retention_days: number | null;

  @ApiProperty({ type: String, nullable: true, example: null, description: DEFAULT_COUNTRY })
  default_country: string | null;

  @ApiProperty({ example: 'UTC', description: TIMEZONE })
  timezone: string;

  @ApiProperty({ type: OpeningHoursSchema, nullable: true, example: null, description: OPENING_HOURS })
  opening_hours: OpeningHoursSchema | null;

  @ApiProperty({ enum: TAKEOVER_ENDS, example: 'ask', description: TAKEOVER_END })
  takeover_end: string;

  @ApiProperty({ description: TRANSCRIPTION, example: true })
  transcription: boolean;

  @ApiProperty({ example: true, description: ASSIGN_ON_REPLY })
  assign_on_reply: boolean;

  @ApiProperty({ type: [String], example: [], description: OPT_OUT_WORDS })
  opt_out_words: string[];

  @ApiProperty({ type: [String], example: [], description: OPT_IN_WORDS })
  opt_in_words: string[];
}

export class AccountListAnswer {
  @ApiProperty({ type: [AccountAnswer] })
  accounts: AccountAnswer[];

  @ApiProperty({ type: String, nullable: true })
  next_cursor: string | null;
}
