import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';

/** Calls an export whose answer has begun when this resolves, and of which nothing is taken yet. */
export async function beginReading(
  url: string,
  headers: Record<string, string>,
  body: object = {},
): Promise<IncomingMessage> {
  const call = request(url, {
    method: 'POST',
    agent: false,
    headers: { 'Content-Type': 'application/json', ...headers },
  });
  call.end(JSON.stringify(body));
  const [answer] = (await once(call, 'response')) as [IncomingMessage];
  expect(answer.statusCode).toBe(200);
  return answer;
}

/** What comes until the answer ends, or breaks. */
export async function restOf(answer: IncomingMessage): Promise<{ lines: string; isWhole: boolean }> {
  let lines = '';
  answer.setEncoding('latin1').on('data', (chunk: string) => (lines += chunk));
  await new Promise<void>((resolve) => answer.once('close', resolve).once('error', () => undefined));
  return { lines, isWhole: answer.complete };
}
