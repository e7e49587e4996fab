import { randomInt } from 'node:crypto';
import type { Dispatcher } from 'undici';

/** The GET by which Meta confirms a receiver. The receiver must return the challenge unchanged. */
export async function verifyCloudWebhook(
  client: Dispatcher,
  address: string | null,
  verifyToken: string,
): Promise<boolean> {
  if (address === null) return false;
  const challenge = String(randomInt(10 ** 9, 10 ** 10));
  const url = new URL(address);
  url.searchParams.set('hub.mode', 'subscribe');
  url.searchParams.set('hub.verify_token', verifyToken);
  url.searchParams.set('hub.challenge', challenge);
  try {
    const { statusCode, body } = await client.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'GET',
    });
    return (await body.text()) === challenge && statusCode === 200;
  } catch {
    return false;
  }
}
