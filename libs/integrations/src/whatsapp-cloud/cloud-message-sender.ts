import type { Channel } from '@app/contracts/message.words';
import {
  MessageSender,
  type ChannelConnection,
  type FileToGive,
  type GivenFile,
  type OutgoingMessage,
  type SendOutcome,
  type SendSlot,
} from '@app/domain/messages/dispatch/message-sender.port';
import type { ProviderClient } from '../http/provider-client';
import type { ProviderAnswer } from '../http/provider-exchange';
import type { CloudFileUpload } from './cloud-file-upload';
import { cloudMessageBody, cloudReadBody } from './cloud-message-body';
import { readCloudOutcome } from './cloud-outcome-reader';

/** Sends by Meta's Cloud API. The version is written as Meta writes it: `v26.0`. */
export class CloudMessageSender extends MessageSender {
  readonly channels: readonly Channel[] = ['waba_coexistence'];

  constructor(
    private readonly client: ProviderClient,
    private readonly version: string,
    private readonly files: CloudFileUpload,
  ) {
    super();
  }

  hasSlot({ sender }: ChannelConnection): boolean {
    return this.client.hasSlot(sender);
  }

  keepSlot({ sender }: ChannelConnection): SendSlot | null {
    return this.client.keepSlot(sender);
  }

  async send(connection: ChannelConnection, message: OutgoingMessage): Promise<SendOutcome> {
    const answer = await this.post(connection, cloudMessageBody(message), message);
    return readCloudOutcome(answer, connection.credential);
  }

  giveFile(connection: ChannelConnection, file: FileToGive, signal: AbortSignal): Promise<GivenFile> {
    return this.files.upload(connection, file, signal);
  }

  async markRead(connection: ChannelConnection, messageId: string, typing: boolean): Promise<void> {
    await this.post(connection, cloudReadBody(messageId, typing));
  }

  private post(
    { sender, credential }: ChannelConnection,
    body: object,
    { permit, slot }: Partial<Pick<OutgoingMessage, 'permit' | 'slot'>> = {},
  ): Promise<ProviderAnswer> {
    return this.client.call({
      method: 'POST',
      number: sender,
      path: `/${this.version}/${encodeURIComponent(sender)}/messages`,
      headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      permit,
      slot,
    });
  }
}
