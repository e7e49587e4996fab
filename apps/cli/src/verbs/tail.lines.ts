import type { BoardEvent } from '@app/contracts/board.events';
import { describe, type Describable } from '@app/contracts/message.description';
import type { HistoryEntryAnswer } from '@app/client/api.types';
import type { MissedEvent } from '@app/client/missed.events';

type Event = BoardEvent | MissedEvent;

const NOBODY = '';

/** Names of stages, by their ids. */
export type StageNames = ReadonlyMap<string, string>;

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
export function lineOf(event: Event, stages: StageNames): string {
  const card = 'card' in event ? event.card : 'thread' in event ? event.thread : null;
  const whose = card ? [card.phone, card.customer_name] : [event.thread_id];
  const place = whose.filter((word) => word !== null && word !== '').join(' ');
  return [event.at, place, event.event, ...factsOf(event, stages)].filter((word) => word !== '').join('  ');
}
