import { EventFollower } from '@app/client/event.follower';
import { RefusedError } from '../cli.errors';
import { safeText } from '../output/safe.text';
import { stagesOf } from './leads.actions';
import { lineOf } from './tail.lines';
import type { Invocation } from './verb';

/** Until it is interrupted, or cannot go on. */
export async function tail(
  given: { assistant?: string; since?: number },
  { environment, callers, output, interrupted }: Invocation,
): Promise<void> {
  const api = callers.byKey();
  const { assistant_id: assistantId, statuses } = await stagesOf(api, given.assistant);
  const stages = new Map(statuses.map(({ id, name }) => [id, name]));
  let wasOnline = true;
  await new Promise<void>((resolve, reject) => {
    const follower = new EventFollower({
      ...{ url: environment.url, apiKey: environment.apiKey(), api, assistantId, since: given.since },
      onEvent: (event) => output.item(event, () => safeText(lineOf(event, stages))),
      onStages: (found) => {
        for (const { id, name } of found) stages.set(id, name);
      },
      onState: (state) => {
        const isOnline = state === 'online';
        if (isOnline !== wasOnline)
          output.note(isOnline ? 'Connected again' : 'The service is away: waiting for it');
        wasOnline = isOnline;
      },
      onEnd: (fault) =>
        reject(fault instanceof Error ? fault : new RefusedError(`${fault.code}: ${fault.message}`)),
    });
    interrupted().addEventListener('abort', () => {
      follower.close();
      resolve();
    });
  });
}
