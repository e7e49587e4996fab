import type { Channel } from '@app/contracts/message.words';
import { countryOfPhone } from '@app/contracts/values/phone-reader';
import { ChannelConnectionRepository } from '@app/persistence/messages/sending/channel-connection.repository';
import { Injectable } from '@nestjs/common';
import type { ChannelConnection } from '../messages/dispatch/message-sender.port';
import { NumberProbes } from './number-probe.port';

/** What is known of a number and its account. */
interface KnownNumber {
  default_country: string | null;
  channel: Channel;
  sender: string;
  phone: string | null;
}

/** A sender of the channel `waba` is a phone itself. */
const phoneOf = ({ channel, sender, phone }: KnownNumber): string | null =>
  phone ?? (channel === 'waba' ? `+${sender}` : null);

/** The country in which phones are read that do not say theirs: the account's, else the number's. Null: none is known. */
export function phoneCountryOf(number: KnownNumber): string | null {
  const phone = phoneOf(number);
  return number.default_country ?? (phone === null ? null : countryOfPhone(phone));
}

/** In which country phones of files are read. */
@Injectable()
export class PhoneCountries {
  constructor(
    private readonly numbers: ChannelConnectionRepository,
    private readonly probes: NumberProbes,
  ) {}

  /** As far as it is known here. */
  async known(accountId: string, botId: string, channel: Channel): Promise<string | null> {
    const number = await this.numbers.findPhone(accountId, botId, channel);
    return number && phoneCountryOf({ ...number, channel });
  }

  /** Asks the provider for the number's phone where it is needed and not known. */
  async of(connection: ChannelConnection): Promise<string | null> {
    const { accountId, botId, channel } = connection;
    const number = await this.numbers.findPhone(accountId, botId, channel);
    if (!number || number.default_country !== null || phoneOf({ ...number, channel }) !== null)
      return number && phoneCountryOf({ ...number, channel });
    const reading = await this.probes.of(channel).read(connection);
    const phone = reading.ok ? reading.number : null;
    if (phone !== null) await this.keep(connection, phone);
    return phoneCountryOf({ ...number, channel, phone });
  }

  /** Remembers what the provider has said of a number. */
  async keep({ accountId, botId, channel, sender }: ChannelConnection, phone: string): Promise<void> {
    await this.numbers.keepPhone(accountId, botId, channel, sender, phone);
  }
}
