import { demoId } from '@app/contracts/demo-ids';
import { STAGE_KINDS, type StageKind } from '@app/contracts/stage.words';
import { ApiProperty } from '../http/docs/openapi.decorator';

/** What each setting means, for the answer and the requests. */
export const MEANING = {
  instructions: 'What the model is told of its task, before the dialog',
  model: 'The model that writes; null: `AI_MODEL`',
  model_options:
    'Fields of each request to the model that the agent sets itself, such as `temperature`; null leaves one out. They stand instead of the service’s own, and are not dropped where the server refuses them. Null: none',
  reply_delay_ms:
    'Quiet time after the customer’s last message before the agent answers; null: `AI_REPLY_DELAY_MS`',
  reply_parts_max: 'Most messages that one reply is sent in',
  reply_characters_max: 'Most characters of one reply, all its parts together',
  replies_per_hour: 'Most replies in one dialog in any hour; two machines that talk to each other end by it',
  barred_kinds:
    'Kinds of stages that the agent moves no lead into; for a new agent `awaiting_payment` and `success`',
  vision:
    'Whether the model is shown the newest four pictures and stickers of the customer; without it, and where its server refuses them, it is told of them in words',
  handover_text:
    'What the customer is told when the agent hands over to a person; null: what the model says then',
  auto_return_minutes:
    'How long the agent is silent after a person wrote in the dialog, it handed over, or a stage handed the lead to an operator',
};

export class AssistantAnswer {
  @ApiProperty({ example: demoId('assistant', 1) })
  id: string;

  @ApiProperty({ example: demoId('account', 1) })
  account_id: string;

  @ApiProperty({ example: 'Sales agent' })
  name: string;

  @ApiProperty({ description: MEANING.instructions, example: 'You sell coffee machines. Be brief.' })
  instructions: string;

  @ApiProperty({ type: String, nullable: true, description: MEANING.model, example: null })
  model: string | null;

  @ApiProperty({
    type: 'object',
    nullable: true,
    additionalProperties: true,
    description: MEANING.model_options,
    example: null,
  })
  model_options: object | null;

  @ApiProperty({ type: 'integer', nullable: true, description: MEANING.reply_delay_ms, example: 5_000 })
  reply_delay_ms: number | null;

  @ApiProperty({ type: 'integer', description: MEANING.reply_parts_max, example: 3 })
  reply_parts_max: number;

  @ApiProperty({ type: 'integer', description: MEANING.reply_characters_max, example: 2_000 })
  reply_characters_max: number;

  @ApiProperty({ type: 'integer', description: MEANING.replies_per_hour, example: 60 })
  replies_per_hour: number;

  @ApiProperty({
    enum: STAGE_KINDS,
    isArray: true,
    description: MEANING.barred_kinds,
    example: ['success'],
  })
  barred_kinds: StageKind[];

  @ApiProperty({ type: String, nullable: true, description: MEANING.handover_text, example: null })
  handover_text: string | null;

  @ApiProperty({ description: MEANING.vision, example: false })
  vision: boolean;

  @ApiProperty({ type: 'integer', description: MEANING.auto_return_minutes, example: 30 })
  auto_return_minutes: number;

  @ApiProperty({ format: 'date-time', example: '2026-11-20T09:30:00.000Z' })
  created_at: string;
}

export class AssistantListAnswer {
  @ApiProperty({ type: [AssistantAnswer] })
  assistants: AssistantAnswer[];

  @ApiProperty({ type: String, nullable: true })
  next_cursor: string | null;
}

class TriedCallAnswer {
  @ApiProperty({ example: 'move_lead' })
  name: string;

  @ApiProperty({ description: 'As the model gave them', example: { status_id: demoId('status', 2) } })
  arguments: unknown;

  @ApiProperty({
    description: 'What the model got instead of a result',
    example: 'The lead was moved.',
  })
  result: string;
}

export class TriedReplyAnswer {
  @ApiProperty({ description: 'All that the customer would read', example: 'От 250 000 тенге.' })
  reply: string;

  @ApiProperty({
    type: [String],
    description: 'The same, message by message',
    example: ['От 250 000 тенге.'],
  })
  parts: string[];

  @ApiProperty({ type: [TriedCallAnswer], description: 'The tools that the model called, in order' })
  tool_calls: TriedCallAnswer[];
}
