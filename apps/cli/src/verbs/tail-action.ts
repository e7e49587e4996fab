import type { HistoryEntryAnswer } from '@app/client/api-types';
import { EventFollower, type FollowedPlace } from '@app/client/event-follower';
import type { MissedEvent } from '@app/client/missed-events';
import type { BoardEvent } from '@app/contracts/board-events';
import { describe, type Describable } from '@app/contracts/message-content';
import { RefusedError, UnfinishedError, UsageError } from '../cli.errors';
import { safeText } from '../output/terminal-output';
import { stagesOf } from './leads-actions';
import type { Invocation } from './verb';

type Event = BoardEvent | MissedEvent;

const NOBODY = '';

/** Names of stages, by their ids. */
type StageNames = ReadonlyMap<string, string>;

const valueOf = (value: HistoryEntryAnswer['from']): string => {
  if (value === null || value === undefined) return 'none';
  if (typeof value === 'object') return 'name' in value && typeof value.name === 'string' ? value.name : '';
  return String(value);
};

const actorOf = (actor?: { type: string; name?: string | null } | null): string =>
  actor ? `by ${actor.type}${actor.name ? ` ${actor.name}` : ''}` : NOBODY;

const said = (message: Describable & { role: string; status: string }): string =>
  `${message.role} ${message.status}: ${describe(message, 'en') || message.type}`;

/** What an event tells, after its time, its dialog and its name. */
function factsOf(event: Event, stages: StageNames): string[] {
  const stage = (id: string | null): string => (id === null ? 'none' : (stages.get(id) ?? id));
  if ('history' in event) {
    const { type, from, to, note, actor } = event.history;
    const what = event.event === 'card.moved' ? '' : `${type} `;
    return [`${what}${valueOf(from)} → ${valueOf(to)}`, note ?? '', actorOf(actor)];
  }
  if ('thread' in event) return [];
  switch (event.event) {
    case 'card.moved':
      return [`${stage(event.from_status_id)} → ${stage(event.to_status_id)}`, actorOf(event.actor)];
    case 'ai.switched':
      return [`${event.ai_enabled ? 'on' : 'off'}, ${event.message_handler}`, actorOf(event.actor)];
    case 'message.created':
      return [said(event.message), event.seq === null ? NOBODY : actorOf(event.actor)];
    case 'message.updated':
      return [said(event.message)];
    case 'card.created':
    case 'card.updated':
      return [
        event.card.attention ? `asks for a person: ${event.card.attention.reason}` : '',
        actorOf(event.actor),
      ];
  }
}

/** An event on one line: when, in which dialog, what. */
function lineOf(event: Event, stages: StageNames): string {
  const card = 'card' in event ? event.card : 'thread' in event ? event.thread : null;
  const whose = card ? [card.phone, card.customer_name] : [event.thread_id];
  const place = whose.filter((word) => word !== null && word !== '').join(' ');
  return [event.at, place, event.event, ...factsOf(event, stages)].filter((word) => word !== '').join('  ');
}

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
