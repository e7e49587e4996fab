import { DownloadFailedError, type Download } from '@app/domain/media/media-download.port';
import { openFile } from './download-connection';
import type { FileAddresses } from './file-addresses';

const REDIRECTS_MAX = 3;

/**
 * Downloads a file by its address. Redirects are followed to addresses that may be called.
 * @param headersFor what an address is sent
 * @throws DownloadFailedError, FileTooLargeError
 */
export async function downloadFile(
  address: string,
  addresses: FileAddresses,
  headersFor: (url: URL) => Record<string, string>,
  signal: AbortSignal,
): Promise<Download> {
  let url = URL.parse(address);
  for (let hops = 0; ; hops += 1) {
    const connect = url && addresses.connectTo(url);
    if (!url || !connect) throw new DownloadFailedError('its address is not one that is called');
    const answer = await openFile(url, headersFor(url), connect, signal);
    if (answer.status === 200) return answer;
    answer.close();
    const isRedirect = answer.status >= 300 && answer.status < 400;
    if (!isRedirect) throw new DownloadFailedError(`the provider answered ${answer.status}`);
    if (hops === REDIRECTS_MAX) throw new DownloadFailedError('the provider redirects too often');
    url = URL.parse(answer.headers.location ?? '', url.href);
  }
}
