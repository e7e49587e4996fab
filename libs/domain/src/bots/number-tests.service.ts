import type { Channel } from '@app/contracts/message.words';
import { ChannelConnectionRepository } from '@app/persistence/messages/sending/channel-connection.repository';
import { Injectable } from '@nestjs/common';
import type { Principal } from '../accounts/principal.rules';
import { Audit } from '../audit/audit.service';
import { ChannelConnections } from '../messages/sending/channel-connections.service';
import { AUDITED_NUMBER } from './bot.presenter';
import { BotsService } from './bots.service';
import { NumberProbes } from './number-probe.port';
import { PhoneCountries } from './phone-countries.service';

/** Whether a number's connection works. */
export interface NumberTest {
  ok: boolean;
  /** By the database's clock. */
  checked_at: string;
  /** The phone with its plus, where the provider names it. */
  number?: string;
  /** Why it does not work. */
  problem?: string;
  /** The provider's own words, where it refused; null where it gave none. */
  provider_response?: unknown;
}

/** Tests of connected numbers, which send nothing. */
@Injectable()
export class NumberTests {
  constructor(
    private readonly bots: BotsService,
    private readonly channels: ChannelConnectionRepository,
    private readonly connections: ChannelConnections,
    private readonly probes: NumberProbes,
    private readonly countries: PhoneCountries,
    private readonly audit: Audit,
  ) {}

  /**
   * Asks the provider about the number, with the stored credential.
   * @throws BotNotFoundError, ChannelNotConnectedError, CredentialSealedError
   */
  async test(by: Principal, botId: string, channel: Channel): Promise<NumberTest> {
    const bot = await this.bots.get(by, botId);
    const { connection } = await this.connections.require(bot.account_id, bot.id, channel, 'channel');
    const reading = await this.probes.of(channel).read(connection);
    if (reading.ok && reading.number !== null) await this.countries.keep(connection, reading.number);
    const number = bot.channels.find((each) => each.channel === channel);
    await this.audit.note(by, 'channel.test', {
      subject: {
        ...{ type: AUDITED_NUMBER.type, accountId: bot.account_id, id: bot.id },
        name: `${channel} ${number?.sender ?? ''}`,
      },
      after: { ok: reading.ok },
    });
    const checked_at = (await this.channels.now()).toISOString();
    if (!reading.ok) {
      return { ok: false, checked_at, problem: reading.problem, provider_response: reading.response };
    }
    return { ok: true, checked_at, ...(reading.number !== null && { number: reading.number }) };
  }
}
