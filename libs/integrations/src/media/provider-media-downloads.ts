import type { MessengerSettings } from '@app/config/settings-config';
import {
  DownloadFailedError,
  FILE_BYTES_MAX,
  type Download,
  MediaDownloads,
  UnfetchableFileError,
} from '@app/domain/media/media-download.port';
import { FileTooLargeError } from '@app/domain/media/media-store.port';
import type { ChannelConnection } from '@app/domain/messages/dispatch/message-sender.port';
import type { ProviderClient, ProviderClients } from '../http/provider-client';
import { fieldOf, readBody, textOf } from '../http/shown-body';
import { isMetaHost, FileAddresses } from './file-addresses';
import { downloadFile } from './file-download';

/** By Meta's Graph API: it tells the address of a file by its id, for five minutes. */
export class CloudMediaDownload {
  constructor(
    private readonly client: ProviderClient,
    private readonly version: string,
    private readonly addresses: FileAddresses,
  ) {}

  /** @param reference an id, or where a webhook had none an address of Meta's */
  async open(connection: ChannelConnection, reference: string, signal: AbortSignal): Promise<Download> {
    const headers = { authorization: `Bearer ${connection.credential}` };
    // The token goes to Graph and to Meta's own hosts only. Other addresses that may be called get none.
    const headersFor = (url: URL) => (this.addresses.isProviders(url) || isMetaHost(url) ? headers : {});
    const download = (address: string) => downloadFile(address, this.addresses, headersFor, signal);
    if (URL.canParse(reference)) return download(reference);
    const file = await this.describe(connection, reference, headers);
    const size = Number(fieldOf(file, 'file_size') ?? 0);
    if (size > FILE_BYTES_MAX) throw new FileTooLargeError(FILE_BYTES_MAX);
    const coming = await download(textOf(fieldOf(file, 'url')));
    const mimeType = textOf(fieldOf(file, 'mime_type')) || coming.mimeType;
    const sha256 = sha256Of(file);
    if (!(size > 0)) return { ...coming, mimeType, sha256 };
    return { bytes: whole(coming.bytes, size), mimeType, size, sha256 };
  }

  private async describe(
    { sender, credential }: ChannelConnection,
    id: string,
    headers: Record<string, string>,
  ): Promise<object> {
    const path = `/${this.version}/${encodeURIComponent(id)}?phone_number_id=${encodeURIComponent(sender)}`;
    const answer = await this.client.call({ method: 'GET', number: sender, path, headers });
    if (answer.kind !== 'answered') throw new DownloadFailedError('WhatsApp gave no whole answer');
    const { json } = readBody(answer.body, answer.overlong, credential);
    if (answer.status === 200 && json) return json;
    throw new DownloadFailedError(`WhatsApp answered ${answer.status}`);
  }
}

/** Null where it says none in hexadecimal digits, as Meta does. */
function sha256Of(file: object): string | null {
  const said = textOf(fieldOf(file, 'sha256')).toLowerCase();
  return /^[0-9a-f]{64}$/.test(said) ? said : null;
}

/** An answer without a length ends like one that was cut. */
async function* whole(bytes: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array> {
  let came = 0;
  for await (const chunk of bytes) {
    came += chunk.length;
    if (came > size) break;
    yield chunk;
  }
  if (came !== size) throw new DownloadFailedError('WhatsApp sent another number of bytes than it said');
}

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
