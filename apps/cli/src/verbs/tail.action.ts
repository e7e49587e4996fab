import { EventFollower, type FollowedPlace } from '@app/client/event.follower';
import { RefusedError, UnfinishedError, UsageError } from '../cli.errors';
import { safeText } from '../output/safe.text';
import { stagesOf } from './leads.actions';
import { lineOf } from './tail.lines';
import type { Invocation } from './verb';

/** As it is printed at the end: the number of an event, and its time. @throws UsageError */
function placeOf(word: string): FollowedPlace {
  const [, seq, at] = /^(\d{1,15})(?:@(.+))?$/.exec(word) ?? [];
  if (seq === undefined || (at !== undefined && Number.isNaN(Date.parse(at))))
    throw new UsageError('--since takes the seq of an event, or seq@time');
  return { seq: Number(seq), ...(at !== undefined && { at: new Date(at).toISOString() }) };
}

const wordsOf = (place: string): string => `To go on here: leadline tail --since ${place}`;

/** Until it is interrupted, or cannot go on. */
export async function tail(
  given: { assistant?: string; since?: string },
  { environment, callers, output, interrupted }: Invocation,
): Promise<void> {
  const since = given.since === undefined ? undefined : placeOf(given.since);
  const api = callers.byKey();
  const { assistant_id: assistantId, statuses } = await stagesOf(api, given.assistant);
  const stages = new Map(statuses.map(({ id, name }) => [id, name]));
  let wasOnline = true;
  await new Promise<void>((resolve, reject) => {
    const follower = new EventFollower({
      ...{ url: environment.url, apiKey: environment.apiKey(), api, assistantId, since },
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
      onEnd: (fault) => {
        const failure = fault instanceof Error ? fault : new RefusedError(`${fault.code}: ${fault.message}`);
        const place = placeToGoOn();
        if (place !== null) output.note(wordsOf(place));
        reject(place === null ? failure : new UnfinishedError(failure, { since: place }));
      },
    });
    const placeToGoOn = (): string | null => follower.since && `${follower.since.seq}@${follower.since.at}`;
    interrupted().addEventListener('abort', () => {
      const place = placeToGoOn();
      follower.close();
      if (place !== null) output.hint({ since: place }, wordsOf(place));
      resolve();
    });
  });
}
