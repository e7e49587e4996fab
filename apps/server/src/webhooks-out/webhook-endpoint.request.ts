import { demoId } from '@app/contracts/demo-ids';
import {
  OVERLAP_HOURS,
  OVERLAP_HOURS_MAX,
  ALL_EVENTS,
  DELIVERY_STATES,
  ENDPOINT_LIMITS,
  WEBHOOK_EVENTS,
} from '@app/contracts/webhook.words';
import { URL_LONGEST } from '@app/contracts/tool.words';
import { ArrayMinSize, IsBoolean, IsInt, IsNotEmpty, IsString, Max, MaxLength, Min } from 'class-validator';
import { ApiProperty, ApiPropertyOptional } from '../http/docs/openapi.decorator';
import { IsLongText, IsSomeOf, IsTexts, IsTime, MayBeAbsent, MayBeNull } from '../http/dto/dto.decorator';
import { PageQuery } from '../http/routes/page.query';
import {
  ASSISTANTS_MEANING,
  DESCRIPTION_MEANING,
  EVENTS_MEANING,
  PACE_MEANING,
} from './webhook-endpoint.answer';

const ASSISTANTS_MAX = 100;
const {
  descriptionLengthMax: DESCRIPTION_LONGEST,
  perSecondMax: PACE_MAX,
  replayDays: REPLAY_DAYS,
} = ENDPOINT_LIMITS;
const TYPES = [...WEBHOOK_EVENTS, ALL_EVENTS];

const URL = {
  maxLength: URL_LONGEST,
  description: 'https, any port; private addresses and redirects are refused',
  example: 'https://shop.example.com/leadline',
};
const EVENTS = {
  enum: TYPES,
  isArray: true,
  minItems: 1,
  uniqueItems: true,
  description: EVENTS_MEANING,
  example: ['lead.status_changed', 'message.received'],
};

/** Fields that may be absent in a new one and in a change. */
class EndpointOptions {
  @ApiPropertyOptional({
    type: [String],
    nullable: true,
    minItems: 1,
    maxItems: ASSISTANTS_MAX,
    description: ASSISTANTS_MEANING,
    example: [demoId('assistant', 1)],
  })
  @MayBeAbsent()
  @MayBeNull()
  @IsTexts(ASSISTANTS_MAX)
  @ArrayMinSize(1)
  assistant_ids?: string[] | null;

  @ApiPropertyOptional({
    ...{ type: 'integer', nullable: true, minimum: 1, maximum: PACE_MAX },
    ...{ description: PACE_MEANING, example: 50 },
  })
  @MayBeAbsent()
  @MayBeNull()
  @IsInt()
  @Min(1)
  @Max(PACE_MAX)
  max_per_second?: number | null;

  @ApiPropertyOptional({
    maxLength: DESCRIPTION_LONGEST,
    description: DESCRIPTION_MEANING,
    example: 'Accounting system',
  })
  @MayBeAbsent()
  @IsLongText(DESCRIPTION_LONGEST)
  description?: string;
}

export class CreateEndpointRequest extends EndpointOptions {
  @ApiPropertyOptional({
    description: 'Required by an admin key; an admin who is signed in may leave it out.',
    example: demoId('account', 1),
  })
  @MayBeAbsent()
  @IsString()
  @IsNotEmpty()
  account_id?: string;

  @ApiProperty(URL)
  @IsString()
  @IsNotEmpty()
  @MaxLength(URL_LONGEST)
  url: string;

  @ApiProperty(EVENTS)
  @IsSomeOf(TYPES)
  events: string[];
}

/** Absent fields stay. */
export class ChangeEndpointRequest extends EndpointOptions {
  @ApiPropertyOptional(URL)
  @MayBeAbsent()
  @IsString()
  @IsNotEmpty()
  @MaxLength(URL_LONGEST)
  url?: string;

  @ApiPropertyOptional(EVENTS)
  @MayBeAbsent()
  @IsSomeOf(TYPES)
  events?: string[];

  @ApiPropertyOptional({
    description:
      '`true`: nothing more is sent, and what was to be sent is `skipped`. `false`: events from now on are sent',
    example: false,
  })
  @MayBeAbsent()
  @IsBoolean()
  disabled?: boolean;
}

export class RotateEndpointSecretRequest {
  @ApiPropertyOptional({
    ...{ type: 'integer', minimum: 0, maximum: OVERLAP_HOURS_MAX, default: OVERLAP_HOURS },
    description: 'For so long the former secret signs too; 0: it ends at once',
  })
  @MayBeAbsent()
  @IsInt()
  @Min(0)
  @Max(OVERLAP_HOURS_MAX)
  overlap_hours?: number;
}

export class ReplayRequest {
  @ApiProperty({
    format: 'date-time',
    description: `Events from this time on; at most ${REPLAY_DAYS} days ago`,
    example: '2026-11-21T10:00:00Z',
  })
  @IsTime()
  since: string;

  @ApiPropertyOptional({
    format: 'date-time',
    description: 'Events before this time; absent: until now',
    example: '2026-11-21T12:00:00Z',
  })
  @MayBeAbsent()
  @IsTime()
  until?: string;
}

export class EndpointQuery extends PageQuery {
  @ApiPropertyOptional({ type: String, description: 'Only the endpoints of this account' })
  account_id?: string;
}

export class DeliveryQuery extends PageQuery {
  @ApiPropertyOptional({ enum: DELIVERY_STATES })
  state?: string;
}

export const CREATE_ENDPOINT_EXAMPLES = {
  'moves and messages': {
    value: {
      account_id: demoId('account', 1),
      url: 'https://shop.example.com/leadline',
      events: ['lead.status_changed', 'message.received', 'message.sent'],
      description: 'Accounting system',
    },
  },
  'everything of one agent, at a pace': {
    value: {
      account_id: demoId('account', 1),
      url: 'https://shop.example.com/leadline/sales',
      events: ['*'],
      assistant_ids: [demoId('assistant', 1)],
      max_per_second: 20,
    },
  },
};

/** Each changes one field: filled in as a whole, the body would also change the agents and enable it. */
export const CHANGE_ENDPOINT_EXAMPLES = {
  'other events': { value: { events: ['template.status_changed', 'quota.low'] } },
  'at a slower pace': { value: { max_per_second: 20 } },
};

export const ROTATE_ENDPOINT_EXAMPLES = {
  'a day for the change': { value: {} },
  'at once, for the former one is known to others': { value: { overlap_hours: 0 } },
};

/** A document that is always the same can name no time of the last days: this one sends nothing. */
export const REPLAY_EXAMPLES = {
  'from your time on': { value: { since: '2030-01-31T12:00:00Z' } },
};
