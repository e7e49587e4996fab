import { demoId } from '@app/contracts/demo-ids';
import {
  ON_LEAVE,
  ON_REPLY,
  ON_TAKEOVER,
  REENTRY,
  SCENARIO_STATES,
  type OnLeave,
  type OnReply,
  type OnTakeover,
  type Reentry,
  type ScenarioState,
} from '@app/contracts/scenario.words';
import { ApiProperty, EXAMPLE_ASSISTANT_ID, EXAMPLE_STATUS_ID } from '../http/docs/openapi.decorator';
import { OpeningHoursSchema } from '../http/dto/opening-hours.answer';
import { STEPS } from './scenario-step.answer';

/** What each setting means, for the answer and the requests. */
export const SCENARIO_MEANING = {
  state:
    'Whether leads that enter its stage start runs. `off` starts none and leaves those under way; `paused` starts none and holds them',
  order: 'Position among the scenarios of its stage; of the same, the one made first comes first',
  on_leave: 'What leaving the stage means for a run',
  on_reply: 'What a customer’s reply means for a run; `cancel` ends it, even while it waits for a reply',
  on_takeover:
    'Where a person takes the dialog over: a run’s messages wait until the end, or go on, or the run ends',
  reentry:
    'Where a lead enters again: the earlier run is cancelled, or goes on and no other begins, or there is one run in a dialog for ever',
  cooldown_seconds: 'No run begins in a dialog within this time after the last one began',
  send_hours: 'When messages may be sent; null: at any hour',
};

export class SendHoursSchema extends OpeningHoursSchema {
  @ApiProperty({ description: 'A name of the IANA database', example: 'Asia/Almaty' })
  timezone: string;
}

export const SEND_HOURS = {
  type: SendHoursSchema,
  nullable: true,
  description: SCENARIO_MEANING.send_hours,
};

export class ScenarioAnswer {
  @ApiProperty({ example: demoId('scenario', 1) })
  id: string;

  @ApiProperty({ example: demoId('account', 1) })
  account_id: string;

  @ApiProperty({ example: EXAMPLE_ASSISTANT_ID })
  assistant_id: string;

  @ApiProperty({ example: EXAMPLE_STATUS_ID, description: 'The stage that starts it; it never changes' })
  status_id: string;

  @ApiProperty({ example: 'Thank the customer' })
  name: string;

  @ApiProperty({ enum: SCENARIO_STATES, description: SCENARIO_MEANING.state, example: 'on' })
  state: ScenarioState;

  @ApiProperty({ type: 'integer', description: SCENARIO_MEANING.order, example: 1 })
  order: number;

  @ApiProperty({ enum: ON_LEAVE, description: SCENARIO_MEANING.on_leave, example: 'cancel' })
  on_leave: OnLeave;

  @ApiProperty({ enum: ON_REPLY, description: SCENARIO_MEANING.on_reply, example: 'continue' })
  on_reply: OnReply;

  @ApiProperty({ enum: ON_TAKEOVER, description: SCENARIO_MEANING.on_takeover, example: 'wait' })
  on_takeover: OnTakeover;

  @ApiProperty({ enum: REENTRY, description: SCENARIO_MEANING.reentry, example: 'restart' })
  reentry: Reentry;

  @ApiProperty({ type: 'integer', description: SCENARIO_MEANING.cooldown_seconds, example: 0 })
  cooldown_seconds: number;

  @ApiProperty(SEND_HOURS)
  send_hours: SendHoursSchema | null;

  @ApiProperty({ type: 'integer', description: 'One more with each change of the steps', example: 1 })
  revision: number;

  @ApiProperty(STEPS)
  steps: object[];

  @ApiProperty({ format: 'date-time', example: '2026-11-20T09:30:00.000Z' })
  created_at: string;

  @ApiProperty({ format: 'date-time', example: '2026-11-20T09:30:00.000Z' })
  updated_at: string;
}

export class ScenarioListAnswer {
  @ApiProperty({ type: [ScenarioAnswer] })
  scenarios: ScenarioAnswer[];

  @ApiProperty({ type: String, nullable: true })
  next_cursor: string | null;
}

export class CancelledRunsAnswer {
  @ApiProperty({ type: 'integer', description: 'Runs that had not ended', example: 2 })
  cancelled: number;
}

const SECRET = {
  description: 'By which receivers of its calls verify them (Standard Webhooks). Shown this once',
  example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwZfq0Vq0mM2E=',
};

export class NewScenarioAnswer extends ScenarioAnswer {
  @ApiProperty(SECRET)
  signing_secret: string;
}

export class SigningSecretAnswer {
  @ApiProperty(SECRET)
  signing_secret: string;
}
