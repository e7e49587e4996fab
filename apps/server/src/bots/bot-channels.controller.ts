import { demoId } from '@app/contracts/demo-ids';
import { CHANNELS } from '@app/contracts/message.words';
import type { Principal } from '@app/domain/accounts/principal.rules';
import { BotsService } from '@app/domain/bots/bots.service';
import { Body, Controller, Delete, Param, Put } from '@nestjs/common';
import { ApiBody, ApiParam, ApiTags } from '../http/docs/openapi.decorator';
import { Access, CurrentPrincipal } from '../http/auth/access.decorator';
import { Documented } from '../http/docs/documented.decorator';
import { ok } from '../http/dto/envelope';
import { wordOf } from '../http/routes/query-values';
import { BotAnswer } from './bot.answer';
import { CONNECT_CHANNEL_EXAMPLE } from './bot-examples';
import { ConnectChannelRequest } from './bot.request';

/** A channel that the demo's bot does not use. */
const ID = { name: 'id', example: demoId('bot', 2) };
const CHANNEL = {
  name: 'channel',
  schema: { type: 'string' as const, enum: [...CHANNELS], example: 'waba' },
};

@ApiTags('Admin: bots')
@Controller('api/v1/admin/bots/:id/channels/:channel')
export class BotChannelsController {
  constructor(private readonly bots: BotsService) {}

  @Put()
  @Access('channel.connect')
  @ApiParam(ID)
  @ApiParam(CHANNEL)
  @ApiBody({
    type: ConnectChannelRequest,
    examples: { 'waba, by Gupshup': { value: CONNECT_CHANNEL_EXAMPLE } },
  })
  @Documented({
    summary: 'Connect a number to a bot, or change it',
    description:
      'The body has to fit the channel in the path: the example is one for `waba`; for `waba_coexistence` give the phone_number_id as `sender`, the access token as `credential` and `{ "waba_id": … }` as `settings`. The provider is asked whether the number is of whoever has the credential, and of the business account or app: else 422 on `sender`; where it does not answer, 502 and nothing changes. A number that another account has connected is 409 while the credential there still works, and moves when it does not. Enter `webhook_url` of the answer at the provider. The credential and the app secret are kept encrypted and never shown. What had stopped the number is over.',
    answer: BotAnswer,
    security: 'AdminKey',
    errors: ['BOT_NOT_FOUND', 'ALREADY_EXISTS', 'VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE', 'PROVIDER_ERROR'],
  })
  async connectChannel(
    @CurrentPrincipal() by: Principal,
    @Param('id') id: string,
    @Param('channel') channel: string,
    @Body() body: ConnectChannelRequest,
  ) {
    const {
      sender,
      credential,
      settings,
      app_secret: appSecret,
      messages_per_second: messagesPerSecond,
    } = body;
    const number = { sender, credential, settings, appSecret, messagesPerSecond };
    return ok(await this.bots.connect(by, id, wordOf('channel', channel, CHANNELS), number));
  }

  @Delete()
  @Access('channel.disconnect')
  @ApiParam(ID)
  @ApiParam(CHANNEL)
  @Documented({
    summary: 'Disconnect a number from a bot',
    description:
      'Its credential and its app secret are forgotten and nothing is sent by it any more; dialogs, messages and templates stay. Doing it again changes nothing.',
    answer: BotAnswer,
    security: 'AdminKey',
    errors: ['BOT_NOT_FOUND', 'VALIDATION_ERROR'],
  })
  async disconnectChannel(
    @CurrentPrincipal() by: Principal,
    @Param('id') id: string,
    @Param('channel') channel: string,
  ) {
    return ok(await this.bots.disconnect(by, id, wordOf('channel', channel, CHANNELS)));
  }
}
