import type { Channel } from '@app/contracts/message.words';
import { ValidationError } from '@app/contracts/coded.errors';
import {
  ChannelConnectionRepository,
  type CredentialRow,
} from '@app/persistence/messages/sending/channel-connection.repository';
import { Injectable } from '@nestjs/common';
import { SecretCipher } from '../accounts/secret-cipher.port';
import { boundTo } from '../messages/sending/channel-connections.service';
import type { ChannelConnection } from '../messages/dispatch/message-sender.port';
import { NumberUnconfirmedError, SenderTakenError } from './bot.errors';
import { NumberProbes } from './number-probe.port';

/** What is wrong with a credential that is neither given nor there. */
export const MISSING = 'is required: the bot has none for this channel';

/** A connection that an admin asks for. */
export type AskedConnection = Omit<ChannelConnection, 'credential'> & {
  /** Undefined: the one that is there. */
  credential: string | undefined;
};

/** What the provider has said of a connection. */
export interface ConfirmedNumber {
  /** With its plus; null: the provider does not name it. */
  phone: string | null;
  /** Who loses the number by it: another account whose credential works no more. */
  takenFrom: CredentialRow | null;
}

/**
 * A number belongs to whom its provider confirms. It is asked before anything is written, so that no transaction waits
 * for the network.
 */
@Injectable()
export class NumberOwnership {
  constructor(
    private readonly channels: ChannelConnectionRepository,
    private readonly cipher: SecretCipher,
    private readonly probes: NumberProbes,
  ) {}

  /**
   * @throws ValidationError where there is no credential, or the provider does not confirm the number; NumberUnconfirmedError
   * where it does not answer; SenderTakenError
   */
  async require(asked: AskedConnection): Promise<ConfirmedNumber> {
    const credential = asked.credential ?? (await this.present(asked));
    const said = await this.ask({ ...asked, credential });
    if (said.kind === 'denied') throw new ValidationError([{ path: 'sender', message: said.message }]);
    return { phone: said.number, takenFrom: await this.loser(asked) };
  }

  private async present({ accountId, botId, channel }: AskedConnection): Promise<string> {
    const known = await this.channels.findCredential(accountId, botId, channel);
    const credential = known && this.opened(known);
    if (credential !== null) return credential;
    const message = known ? 'the former one cannot be opened any more: give it again' : MISSING;
    throw new ValidationError([{ path: 'credential', message }]);
  }

  /** @throws NumberUnconfirmedError */
  private async ask(connection: ChannelConnection) {
    const said = await this.probes.of(connection.channel).confirm(connection);
    if (said.kind === 'unanswered') throw new NumberUnconfirmedError(said.message, said.response);
    return said;
  }

  /** @returns null: nobody else has the number */
  private async loser({ accountId, botId, channel, sender }: AskedConnection): Promise<CredentialRow | null> {
    const holder = await this.channels.findHolder(channel, sender);
    if (!holder || (holder.accountId === accountId && holder.botId === botId)) return null;
    if (holder.accountId === accountId || (await this.stillWorks(holder, channel)))
      throw new SenderTakenError(channel, sender);
    return holder;
  }

  private async stillWorks(holder: CredentialRow, channel: Channel): Promise<boolean> {
    const { accountId, botId, sender, settings } = holder;
    const credential = this.opened(holder);
    if (credential === null) return false;
    return (await this.ask({ accountId, botId, channel, sender, settings, credential })).kind === 'confirmed';
  }

  /** @returns null where the credential was sealed by another key */
  private opened({ accountId, botId, channel, credential_key_id, credential }: CredentialRow): string | null {
    try {
      return this.cipher.open(credential_key_id, credential, boundTo(accountId, botId, channel));
    } catch {
      return null;
    }
  }
}
