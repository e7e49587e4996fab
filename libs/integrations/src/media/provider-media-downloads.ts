import type { MessengerSettings } from '@app/config/settings-config';
import type { ChannelConnection } from '@app/domain/messages/dispatch/message-sender.port';
import { MediaDownloads, UnfetchableFileError, type Download } from '@app/domain/media/media-download.port';
import type { ProviderClients } from '../http/provider-clients';
import { CloudMediaDownload } from './cloud-media-download';
import { FileAddresses } from './file-addresses';
import { downloadFile } from './file-download';

/** Files of both providers. Gupshup's webhooks have addresses that need no key; so may Cloud API's. */
export class ProviderMediaDownloads extends MediaDownloads {
  private readonly cloud: CloudMediaDownload;
  private readonly ofGupshup: FileAddresses;

  constructor({ cloud }: ProviderClients, messengers: MessengerSettings, mayReachThisMachine: boolean) {
    super();
    const ofCloud = new FileAddresses(messengers.cloud.apiUrl, mayReachThisMachine);
    this.cloud = new CloudMediaDownload(cloud, messengers.cloud.apiVersion, ofCloud);
    this.ofGupshup = new FileAddresses(messengers.gupshup.apiUrl, mayReachThisMachine);
  }

  async open(connection: ChannelConnection, reference: string, signal: AbortSignal): Promise<Download> {
    if (connection.channel === 'waba_coexistence') return this.cloud.open(connection, reference, signal);
    if (!URL.canParse(reference)) throw new UnfetchableFileError('Gupshup gave no address of the file');
    return downloadFile(reference, this.ofGupshup, () => ({}), signal);
  }
}
