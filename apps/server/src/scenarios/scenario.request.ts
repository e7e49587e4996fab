import {
  ON_LEAVE,
  ON_REPLY,
  ON_TAKEOVER,
  REENTRY,
  SCENARIO_LIMITS,
  SCENARIO_STATES,
  type OnLeave,
  type OnReply,
  type OnTakeover,
  type Reentry,
  type ScenarioState,
} from '@app/contracts/scenario.words';
import { OVERLAP_HOURS, OVERLAP_HOURS_MAX } from '@app/contracts/webhook.words';
import {
  COOLDOWN_SECONDS_MAX,
  SCENARIO_NAME_LONGEST,
  SCENARIO_ORDER,
} from '@app/domain/scenarios/definition/steps-check';
import { NO_HOURS } from '@app/domain/scenarios/definition/send-hours.rules';
import {
  ArrayMaxSize,
  IsArray,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsObject,
  IsString,
  Max,
  Min,
} from 'class-validator';
import {
  EXAMPLE_STATUS_ID,
  ApiExtraModels,
  ApiProperty,
  ApiPropertyOptional,
} from '../http/docs/openapi.decorator';
import { IsName, MayBeAbsent, MayBeNull } from '../http/dto/dto.decorator';
import { PageQuery } from '../http/routes/page.query';
import { STEP_SCHEMAS, STEPS } from './scenario-step.answer';
import { SCENARIO_MEANING, SEND_HOURS, SendHoursSchema } from './scenario.answer';

const NOT_STEPS = `must be an array of 1 to ${SCENARIO_LIMITS.stepsMax} steps`;

export class ScenarioQuery extends PageQuery {
  @ApiPropertyOptional({ type: String, description: 'Only of this agent' })
  assistant_id?: string;

  @ApiPropertyOptional({ type: String, description: 'Only of this stage' })
  status_id?: string;
}

const NAME = { maxLength: SCENARIO_NAME_LONGEST, example: 'Thank the customer' };

/** Fields that may be absent in a new one and in a change. The steps and the hours are checked by the domain's rules. */
class ScenarioOptionsRequest {
  @ApiPropertyOptional({ enum: SCENARIO_STATES, description: `${SCENARIO_MEANING.state}. A new one is on.` })
  @MayBeAbsent()
  @IsIn(SCENARIO_STATES)
  state?: ScenarioState;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: SCENARIO_ORDER[0],
    maximum: SCENARIO_ORDER[1],
    description: `${SCENARIO_MEANING.order}. A new one is behind the last.`,
  })
  @MayBeAbsent()
  @IsInt()
  @Min(SCENARIO_ORDER[0])
  @Max(SCENARIO_ORDER[1])
  order?: number;

  @ApiPropertyOptional({ enum: ON_LEAVE, description: `${SCENARIO_MEANING.on_leave}. At a new one: cancel.` })
  @MayBeAbsent()
  @IsIn(ON_LEAVE)
  on_leave?: OnLeave;

  @ApiPropertyOptional({
    enum: ON_REPLY,
    description: `${SCENARIO_MEANING.on_reply}. At a new one: continue.`,
  })
  @MayBeAbsent()
  @IsIn(ON_REPLY)
  on_reply?: OnReply;

  @ApiPropertyOptional({
    enum: ON_TAKEOVER,
    description: `${SCENARIO_MEANING.on_takeover}. At a new one: wait.`,
  })
  @MayBeAbsent()
  @IsIn(ON_TAKEOVER)
  on_takeover?: OnTakeover;

  @ApiPropertyOptional({ enum: REENTRY, description: `${SCENARIO_MEANING.reentry}. At a new one: restart.` })
  @MayBeAbsent()
  @IsIn(REENTRY)
  reentry?: Reentry;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    maximum: COOLDOWN_SECONDS_MAX,
    description: `${SCENARIO_MEANING.cooldown_seconds}. At a new one: 0.`,
  })
  @MayBeAbsent()
  @IsInt()
  @Min(0)
  @Max(COOLDOWN_SECONDS_MAX)
  cooldown_seconds?: number;

  @ApiPropertyOptional({ ...SEND_HOURS, description: `${SCENARIO_MEANING.send_hours}. At a new one: null.` })
  @MayBeAbsent()
  @MayBeNull()
  @IsObject({ message: NO_HOURS })
  send_hours?: object | null;
}

@ApiExtraModels(...STEP_SCHEMAS, SendHoursSchema)
export class CreateScenarioRequest extends ScenarioOptionsRequest {
  @ApiProperty({ example: EXAMPLE_STATUS_ID, description: 'The stage that starts it; it never changes' })
  @IsString()
  @IsNotEmpty()
  status_id: string;

  @ApiProperty(NAME)
  @IsName(SCENARIO_NAME_LONGEST)
  name: string;

  @ApiProperty(STEPS)
  @IsArray({ message: NOT_STEPS })
  @ArrayMaxSize(SCENARIO_LIMITS.stepsMax, { message: NOT_STEPS })
  steps: unknown[];
}

const RUNNING = ['keep', 'cancel'] as const;

export class ChangeScenarioRequest extends ScenarioOptionsRequest {
  @ApiPropertyOptional(NAME)
  @MayBeAbsent()
  @IsName(SCENARIO_NAME_LONGEST)
  name?: string;

  @ApiPropertyOptional(STEPS)
  @MayBeAbsent()
  @IsArray({ message: NOT_STEPS })
  @ArrayMaxSize(SCENARIO_LIMITS.stepsMax, { message: NOT_STEPS })
  steps?: unknown[];

  @ApiPropertyOptional({
    enum: RUNNING,
    default: 'keep',
    description: 'What becomes of runs under way: they keep the steps that they began with, or are cancelled',
  })
  @MayBeAbsent()
  @IsIn(RUNNING)
  running?: (typeof RUNNING)[number];
}

export class RotateSecretRequest {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    maximum: OVERLAP_HOURS_MAX,
    default: OVERLAP_HOURS,
    description: 'For so long the former secret signs too',
  })
  @MayBeAbsent()
  @IsInt()
  @Min(0)
  @Max(OVERLAP_HOURS_MAX)
  overlap_hours?: number;
}

export const ROTATE_SECRET_EXAMPLES = {
  'a day for the change': { value: {} },
  'at once, for the former one is known to others': { value: { overlap_hours: 0 } },
};
