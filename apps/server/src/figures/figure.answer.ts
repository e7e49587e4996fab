import { STAGE_KINDS } from '@app/contracts/stage.words';
import { CHANNELS } from '@app/contracts/message.words';
import { demoId } from '@app/contracts/demo-ids';
import { EXAMPLE_ASSISTANT_ID, EXAMPLE_STATUS_ID, ApiProperty } from '../http/docs/openapi.decorator';

const Count = (description: string, example: number) =>
  ApiProperty({ type: 'integer', minimum: 0, description, example });

const Seconds = (description: string, example: number) =>
  ApiProperty({
    type: Number,
    nullable: true,
    description: `${description} In seconds, to the millisecond; null: there is none.`,
    example,
  });

const COMPLETE =
  'True: everything that was committed before this call is counted. False: more of the history is being counted than one call can, as after an update from a version without figures, or after the kind of a stage was changed in a long funnel.';

class StageMovesAnswer {
  @ApiProperty({ type: String, nullable: true, description: 'Null: no stage.', example: EXAMPLE_STATUS_ID })
  status_id: string | null;

  @Count(
    'How often leads entered the stage in the span: a lead that entered twice counts twice. Without a stage: dialogs opened, and stages cleared.',
    42,
  )
  entered: number;

  @Count('How often leads left the stage in the span.', 30)
  left: number;
}

class StageFiguresAnswer extends StageMovesAnswer {
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'As it is now; null: no stage.',
    example: 'Qualified',
  })
  name: string | null;

  @ApiProperty({
    type: String,
    enum: STAGE_KINDS,
    nullable: true,
    description: 'As it is now; null: no stage.',
  })
  kind: string | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    example: 2,
    description: 'Position in the funnel; null: no stage.',
  })
  order: number | null;

  @ApiProperty({
    description: 'Whether the stage is archived. It is listed while there is something to tell of it.',
  })
  archived: boolean;

  @Count('How many leads are in the stage now, whatever the span.', 17)
  now: number;

  @Count('How many different leads entered the stage in the span.', 40)
  leads: number;

  @Count(
    'How many of `leads` entered a stage of kind `success` after their first entry in the span, until now.',
    10,
  )
  converted: number;

  @ApiProperty({
    type: Number,
    nullable: true,
    minimum: 0,
    maximum: 1,
    example: 0.25,
    description:
      '`converted` divided by `leads`. Null: no lead entered, or the stage is of kind `success` itself.',
  })
  conversion: number | null;

  @Seconds(
    'The median of the time that leads were in the stage, of all stays that ended in the span, whenever they began.',
    5_400,
  )
  median_seconds: number | null;

  @Seconds('90 percent of these stays were not longer (interpolated linearly, as the median is).', 86_400)
  p90_seconds: number | null;
}

class MessageCountsAnswer {
  @Count('Of the agent.', 310)
  ai: number;

  @Count('Of people: by the monitor, by send-text and by the phone’s app.', 45)
  operator: number;

  @Count('Sent automatically: templates by an API key, and messages of scenarios.', 120)
  system: number;
}

class FirstAnswersAnswer {
  @Count('How many first answers were stored in the span.', 96)
  answers: number;

  @Seconds(
    'The median of the time from the customer’s message that began to wait until the answer to it was stored.',
    8.5,
  )
  median_seconds: number | null;
}

class FirstAnswersBySpeakerAnswer extends FirstAnswersAnswer {
  @ApiProperty({ type: FirstAnswersAnswer, description: 'Those of the agent.' })
  ai: FirstAnswersAnswer;

  @ApiProperty({ type: FirstAnswersAnswer, description: 'Those of people.' })
  operator: FirstAnswersAnswer;

  @ApiProperty({ type: FirstAnswersAnswer, description: 'Those that were sent automatically.' })
  system: FirstAnswersAnswer;
}

class MessageFiguresAnswer {
  @ApiProperty({
    type: MessageCountsAnswer,
    description:
      'Messages to customers by who wrote them, by the time when they were stored. Those that failed or were never handed to the provider do not count, nor do reactions and edits.',
  })
  messages: MessageCountsAnswer;

  @ApiProperty({
    type: FirstAnswersBySpeakerAnswer,
    description:
      'A customer’s message begins to wait when it is the first after a message of ours that counts, or the first at all. The next message of ours that counts is the first answer to it.',
  })
  first_answers: FirstAnswersBySpeakerAnswer;
}

class DayFiguresAnswer extends MessageFiguresAnswer {
  @ApiProperty({ format: 'date', example: '2026-11-20' })
  date: string;

  @ApiProperty({ format: 'date-time', example: '2026-11-19T19:00:00.000Z' })
  from: string;

  @ApiProperty({
    format: 'date-time',
    example: '2026-11-20T19:00:00.000Z',
    description: 'Not part of the day.',
  })
  to: string;

  @ApiProperty({
    type: [StageMovesAnswer],
    description: 'The stages that a lead entered or left on the day.',
  })
  stages: StageMovesAnswer[];
}

export class FunnelFiguresAnswer extends MessageFiguresAnswer {
  @ApiProperty({ example: EXAMPLE_ASSISTANT_ID })
  assistant_id: string;

  @ApiProperty({ format: 'date-time', example: '2026-10-31T19:00:00.000Z' })
  from: string;

  @ApiProperty({ format: 'date-time', example: '2026-11-30T19:00:00.000Z' })
  to: string;

  @ApiProperty({ example: 'Asia/Almaty' })
  timezone: string;

  @ApiProperty({ description: COMPLETE })
  complete: boolean;

  @ApiProperty({
    type: [StageFiguresAnswer],
    description: 'Leads without a stage first, then the funnel in its order, then archived stages.',
  })
  stages: StageFiguresAnswer[];

  @ApiProperty({
    type: [DayFiguresAnswer],
    description:
      'Every day of the span in the time zone, in order. The first and the last one may be parts of days; a day has 23 or 25 hours where clocks change.',
  })
  days: DayFiguresAnswer[];
}

class FailedMessagesAnswer {
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'As a message’s `error.code`.',
    example: 'PROVIDER_ERROR',
  })
  code: string | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'The provider’s own number for it; null: it told none.',
    example: 131_026,
  })
  provider_code: number | null;

  @Count('How many failed so.', 3)
  messages: number;
}

class TemplateFiguresAnswer {
  @ApiProperty({
    description:
      'The template as send-template takes it; the name that was sent, where it is not registered.',
    example: 'order_ready',
  })
  template_id: string;

  @ApiProperty({ example: 'order_ready' })
  name: string;

  @ApiProperty({ example: 'ru' })
  language: string;

  @ApiProperty({ enum: CHANNELS })
  channel: string;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'utility',
    description: 'Null: it is not registered.',
  })
  category: string | null;

  @Count(
    'Messages of this template stored in the span: `queued`, `sent`, `failed` and `unknown` together. Duplicates that were not sent do not count.',
    100,
  )
  messages: number;

  @Count('Not yet accepted by the provider.', 0)
  queued: number;

  @Count('Accepted by the provider and not failed since.', 95)
  sent: number;

  @Count('Of `sent`: those that reached the customer’s phone.', 90)
  delivered: number;

  @Count('Of `delivered`: those that were read. Customers may switch off that this is told.', 60)
  read: number;

  @Count(
    'Of `sent`: those after which the customer wrote within 24 hours. One message counts for each template before it.',
    25,
  )
  replied: number;

  @Count('Nobody knows whether they went out.', 1)
  unknown: number;

  @Count('Not sent, or not delivered.', 4)
  failed: number;

  @ApiProperty({ type: [FailedMessagesAnswer], description: '`failed` by its reasons.' })
  failed_by_code: FailedMessagesAnswer[];
}

export class TemplateFiguresOfBotAnswer {
  @ApiProperty({ format: 'uuid', example: demoId('bot', 1) })
  bot_id: string;

  @ApiProperty({ format: 'date-time', example: '2026-10-31T19:00:00.000Z' })
  from: string;

  @ApiProperty({ format: 'date-time', example: '2026-11-30T19:00:00.000Z' })
  to: string;

  @ApiProperty({ description: COMPLETE })
  complete: boolean;

  @ApiProperty({
    type: [TemplateFiguresAnswer],
    description:
      'Each template of which a message was stored in the span, language and channel, the most frequent first.',
  })
  templates: TemplateFiguresAnswer[];
}
