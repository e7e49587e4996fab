import { STAGE_KINDS, type StageKind, STAGE_RULES, type StageRule } from '@app/contracts/stage.words';
import { ApiProperty, EXAMPLE_ASSISTANT_ID, EXAMPLE_STATUS_ID } from '../http/docs/openapi.decorator';

/** What each setting means, for the answer and the requests. */
export const STAGE_MEANING = {
  name: 'By which people know the stage; a funnel may have two of one name, which can then be asked for by their ids only',
  kind: 'How far a customer has come who stands here',
  order: 'Position in the funnel; of the same, the one made first comes first',
  description: 'When a lead should land on this stage: the model is told so; null: it has the name alone',
  ai_enabled: 'Whether the agent answers incoming messages at this stage',
  ai_transition_locked: 'Whether the agent is forbidden to move a lead away from this stage',
  on_enter:
    'To whom every lead that enters is handed: an operator, as if one had written, or the agent, which ends a takeover; null: to nobody',
};

/** A list of allowed values must name null too where null is allowed. */
export const RULE = {
  type: String,
  enum: [...STAGE_RULES, null],
  nullable: true,
  description: STAGE_MEANING.on_enter,
};

export class StageSettingsAnswer {
  @ApiProperty({ example: EXAMPLE_STATUS_ID })
  id: string;

  @ApiProperty({ example: EXAMPLE_ASSISTANT_ID })
  assistant_id: string;

  @ApiProperty({ description: STAGE_MEANING.name, example: 'Qualified' })
  name: string;

  @ApiProperty({ enum: STAGE_KINDS, description: STAGE_MEANING.kind, example: 'qualified' })
  kind: StageKind;

  @ApiProperty({ type: 'integer', description: STAGE_MEANING.order, example: 2 })
  order: number;

  @ApiProperty({
    type: String,
    nullable: true,
    description: STAGE_MEANING.description,
    example: 'The budget and the date are known.',
  })
  description: string | null;

  @ApiProperty({ description: STAGE_MEANING.ai_enabled, example: true })
  ai_enabled: boolean;

  @ApiProperty({ description: STAGE_MEANING.ai_transition_locked, example: false })
  ai_transition_locked: boolean;

  @ApiProperty({ ...RULE, example: null })
  on_enter: StageRule | null;
}

export class StageListAnswer {
  @ApiProperty({ type: [StageSettingsAnswer] })
  statuses: StageSettingsAnswer[];

  @ApiProperty({ type: String, nullable: true })
  next_cursor: string | null;
}
