import { demoId } from '@app/contracts/demo-ids';
import { MAGIC_NUMBERS } from '@app/contracts/magic-numbers';
import { ValidationError } from '@app/contracts/coded.errors';
import type { Principal } from '@app/domain/accounts/principal.rules';
import { MessageSettling } from '@app/domain/messages/delivery/delivery-states.service';
import { SentMessages } from '@app/domain/messages/dialog/sent-messages.service';
import type { IdempotentCall } from '@app/domain/messages/sending/idempotent-answers.service';
import { TemplateSending } from '@app/domain/messages/sending/template-sending.service';
import { TextSending } from '@app/domain/messages/sending/text-sending.service';
import {
  createParamDecorator,
  type ExecutionContext,
  Body,
  Controller,
  HttpCode,
  Post,
  Res,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { Access, CurrentPrincipal } from '../http/auth/access.decorator';
import { Documented } from '../http/docs/documented.decorator';
import {
  EXAMPLE_THREAD_ID,
  ApiBody,
  ApiExtraModels,
  ApiHeader,
  ApiTags,
} from '../http/docs/openapi.decorator';
import { ok } from '../http/dto/envelope';
import { ID_CURSOR, pageBy } from '../http/routes/opaque-cursor';
import { BatchAnswer, BatchListAnswer, MessageAnswer, SentAnswer, SettledAnswer } from './message.answer';
import {
  idempotencyKeyViolations,
  GetBatchBody,
  GetBatchesBody,
  GetMessageBody,
  PAGE,
  PHONE_REQUEST_TEXT,
  RequestPhoneBody,
  SendTemplateBody,
  SendTextBody,
  SettleMessageBody,
  toSendTemplate,
} from './message.request';

/** The caller's Idempotency-Key, read once the body is known to be valid. */
interface Idempotency {
  /**
   * Null for a call without a key.
   * @throws ValidationError for a malformed key.
   */
  call(): IdempotentCall | null;
}

/** With the parsed body, because a repeated call must be the same. */
const CurrentIdempotency = createParamDecorator((_: unknown, context: ExecutionContext): Idempotency => {
  const { headers, body } = context.switchToHttp().getRequest<Request & { body: unknown }>();
  return {
    call: () => {
      const given = headers['idempotency-key'];
      const key = Array.isArray(given) ? given.join() : given;
      const violations = idempotencyKeyViolations(key);
      ValidationError.throwIfAny(violations);
      return key === undefined ? null : { key, body };
    },
  };
});

const BOT = { bot_id: demoId('bot', 1), channel: 'waba_coexistence' };

/** Bodies that work in the demo as they are. */
const SEND_TEMPLATE_EXAMPLES = {
  'to one': { value: { ...BOT, to: { phone: '+77015551001' }, template_id: 'order_ready' } },
  'to one, with variables': {
    value: {
      ...BOT,
      to: { phone: '+77015551001', params: ['Aigul', '15:30'] },
      template_id: 'visit_reminder',
      template_language: 'en',
    },
  },
  'to a list': {
    value: {
      ...BOT,
      to: [
        { phone: '+77015551001', params: ['Айгуль', '15:30'] },
        { phone: '+77015551002', params: ['Данияр', '16:00'] },
      ],
      template_id: 'visit_reminder',
    },
  },
};

const GET_BATCHES_EXAMPLES = {
  'of a bot': { value: { bot_id: BOT.bot_id, limit: 20 } },
  'of all bots': { value: {} },
};

/** What the demo's sandbox does with messages to certain phones, as Markdown. */
const MAGIC_NUMBERS_TABLE = [
  'In the demo these phones give one outcome each; every other phone takes what it is sent:',
  '',
  '| Phone | What happens |',
  '|---|---|',
  ...MAGIC_NUMBERS.map(({ phone, happens }) => `| \`${phone}\` | ${happens} |`),
].join('\n');

/** A file needs an id of upload-media, which nobody knows before. */
const SEND_TEXT_EXAMPLES = {
  text: {
    summary: 'A text',
    value: { thread_id: EXAMPLE_THREAD_ID, text: 'Your parcel is at the desk.' },
  },
};

const TOO_FAST =
  'More requests in 60 seconds than the key may make, or one message for which its number has no time within 3 seconds, of which nothing is stored; see Retry-After.';

@ApiTags('Messages')
@Controller('api/v1/messages')
export class MessagesController {
  constructor(
    private readonly templates: TemplateSending,
    private readonly texts: TextSending,
    private readonly messages: SentMessages,
    private readonly settling: MessageSettling,
  ) {}

  @Post('send-template')
  @Access('message.send_template')
  @HttpCode(200)
  @ApiExtraModels(SentAnswer)
  @ApiBody({ type: SendTemplateBody, examples: SEND_TEMPLATE_EXAMPLES })
  @ApiHeader({
    name: 'Idempotency-Key',
    required: false,
    description:
      'A key of your own for this request, 1 to 255 visible ASCII characters, kept for 24 hours: a repeated call with it sends nothing and gets the first answer again, with `Idempotent-Replayed: true`.',
  })
  @Documented({
    summary: 'Send a template message to one recipient or to a list',
    description: `One recipient: answered when the provider has taken or refused it. A list of up to 1,000: stored, sent in parallel, answered when all are settled or after 25 s with the rest \`queued\`; 200 even if every recipient failed. A message whose outcome is unknown is never sent again by the service.\n\n${MAGIC_NUMBERS_TABLE}`,
    answer: [SentAnswer, BatchAnswer],
    security: 'ApiKey',
    errors: [
      'BOT_NOT_FOUND',
      'BATCH_NOT_FOUND',
      'THREAD_NOT_FOUND',
      'THREAD_ERASED',
      'IDEMPOTENCY_IN_PROGRESS',
      'QUOTA_EXCEEDED',
      'BILLING_ERROR',
      'PROVIDER_ERROR',
      'VALIDATION_ERROR',
      'PAYLOAD_TOO_LARGE',
    ],
    meanings: { RATE_LIMITED: TOO_FAST },
    retryAfter: ['PROVIDER_ERROR'],
    replayable: true,
  })
  async sendTemplate(
    @CurrentPrincipal() by: Principal,
    @CurrentIdempotency() idempotency: Idempotency,
    @Body() body: SendTemplateBody,
    @Res({ passthrough: true }) response: Response,
  ) {
    const { data, replayed } = await this.templates.send(by, toSendTemplate(body), idempotency.call());
    if (replayed) response.setHeader('Idempotent-Replayed', 'true');
    return ok(data);
  }

  @Post('send-text')
  @Access('message.send_text')
  @HttpCode(200)
  @ApiBody({ type: SendTextBody, examples: SEND_TEXT_EXAMPLES })
  @Documented({
    summary: 'Write to the customer of a dialog',
    description:
      'Free text of a person, a file, or a file with the text as its caption: starts a takeover, whoever calls. Outside the 24 hours after the last message of the customer the provider refuses it, at once or by a later delivery state. The provider is given a file first; where it does not take it, nothing is stored or sent.',
    answer: SentAnswer,
    security: 'ApiKey',
    errors: [
      'THREAD_NOT_FOUND',
      'MEDIA_NOT_FOUND',
      'MEDIA_LOADING',
      'MEDIA_GONE',
      'THREAD_ERASED',
      'BILLING_ERROR',
      'PROVIDER_ERROR',
      'VALIDATION_ERROR',
      'PAYLOAD_TOO_LARGE',
    ],
    meanings: { RATE_LIMITED: TOO_FAST },
    retryAfter: ['PROVIDER_ERROR'],
  })
  async sendText(@CurrentPrincipal() by: Principal, @Body() body: SendTextBody) {
    return ok(await this.texts.send(by, body.thread_id, { text: body.text, mediaId: body.media_id }));
  }

  @Post('request-phone')
  @Access('message.request_phone')
  @HttpCode(200)
  @Documented({
    summary: "Ask a customer for the phone with the messenger's own button",
    description:
      'The customer shares the number with one tap: it comes as a message with `content.type: "contacts"`, and `customer.phone_proven` is true from then on. In all else as a text of send-text: it starts a takeover, and the 24 hours count. `waba_coexistence` only.',
    answer: SentAnswer,
    security: 'ApiKey',
    errors: [
      'THREAD_NOT_FOUND',
      'THREAD_ERASED',
      'BILLING_ERROR',
      'PROVIDER_ERROR',
      'VALIDATION_ERROR',
      'PAYLOAD_TOO_LARGE',
    ],
    meanings: { RATE_LIMITED: TOO_FAST },
    retryAfter: ['PROVIDER_ERROR'],
  })
  async requestPhone(
    @CurrentPrincipal() by: Principal,
    @Body() { thread_id, text = PHONE_REQUEST_TEXT }: RequestPhoneBody,
  ) {
    return ok(await this.texts.requestPhone(by, thread_id, text));
  }

  @Post('get-batch')
  @Access('batch.get')
  @HttpCode(200)
  @Documented({
    summary: 'What became of a list',
    description: 'The answer of send-template as it stands now.',
    answer: BatchAnswer,
    security: 'ApiKey',
    errors: ['BATCH_NOT_FOUND', 'VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'],
  })
  async getBatch(@CurrentPrincipal() by: Principal, @Body() body: GetBatchBody) {
    return ok(await this.messages.getBatch(by, body.batch_id));
  }

  @Post('get-batches')
  @Access('batch.list')
  @HttpCode(200)
  @ApiBody({ type: GetBatchesBody, examples: GET_BATCHES_EXAMPLES })
  @Documented({
    summary: 'Lists that were sent',
    description:
      'Newest first, each with what became of it so far and without its recipients, which get-batch has. Lists that get-batch shows, of the bots of the key and of those of its agents.',
    answer: BatchListAnswer,
    security: 'ApiKey',
    errors: ['BOT_NOT_FOUND', 'VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'],
  })
  async getBatches(
    @CurrentPrincipal() by: Principal,
    @Body() { bot_id: botId, cursor, limit = PAGE }: GetBatchesBody,
  ) {
    const before = cursor === undefined ? null : ID_CURSOR.decode(cursor);
    const found = await this.messages.getBatches(by, botId ?? null, before, limit + 1);
    const { page, next_cursor } = pageBy((batch) => ID_CURSOR.encode(batch.batch_id), found, limit);
    return ok({ batches: page, next_cursor });
  }

  @Post('get-message')
  @Access('message.get')
  @HttpCode(200)
  @Documented({
    summary: 'One message',
    description: 'With its delivery state as the provider has reported it so far.',
    answer: MessageAnswer,
    security: 'ApiKey',
    errors: ['MESSAGE_NOT_FOUND', 'VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'],
  })
  async getMessage(@CurrentPrincipal() by: Principal, @Body() body: GetMessageBody) {
    return ok(await this.messages.getMessage(by, body.id));
  }

  @Post('settle-message')
  @Access('message.settle')
  @HttpCode(200)
  @Documented({
    summary: 'Say what became of an unknown message',
    description:
      'For a person who found out, in the customer\'s chat or from the customer, whether a message of `status: "unknown"` went out. Any other message is answered as it stands, unchanged. What the provider reports later still moves it on.',
    answer: SettledAnswer,
    security: 'ApiKey',
    errors: ['MESSAGE_NOT_FOUND', 'VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'],
  })
  async settleMessage(@CurrentPrincipal() by: Principal, @Body() body: SettleMessageBody) {
    return ok(await this.settling.settle(by, body.id, body.outcome));
  }
}
