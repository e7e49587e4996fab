import { processLimits } from '@app/config/process-limits';
import type { PresentUser } from '@app/contracts/board-events';
import { boardKey, type BoardAddress } from './board-address';

/** Where a person is by one connection: in a dialog, perhaps typing. */
export interface Presence extends BoardAddress {
  /** As the outside knows it. */
  threadId: string;
  userId: string;
  name: string;
  typing: boolean;
}

interface Kept {
  presence: Presence;
  until: number;
}

export const PRESENCE_TIMES = processLimits('presence', {
  /** How long a person is in a dialog without saying so again. */
  presentForMs: 30_000,
  /** What changes within this time is told together. It bounds what one person can make all boards hear. */
  tellEveryMs: 50,
  expireEveryMs: 1_000,
  /** What is said again without a change is told at most so often: others keep it three times as long. */
  repeatedEveryMs: 10_000,
});

/** So many presences of other processes are known at most. Each person's browser has one. */
const KNOWN_MAX = 20_000;

/** Who is in which dialog, by connections of all processes. The clock is the caller's, in milliseconds. */
export class PresenceBook {
  private readonly kept = new Map<string, Kept>();
  /** Connections by dialog, by board. */
  private readonly boards = new Map<string, Map<string, Set<string>>>();

  /** @param changed is called for each dialog that a person came to, or left */
  constructor(private readonly changed: (address: BoardAddress, threadId: string) => void) {}

  get size(): number {
    return this.kept.size;
  }

  /** A connection is in a dialog, and in no other. One more than can be known is not taken. */
  put(connection: string, presence: Presence, now: number): void {
    const before = this.kept.get(connection);
    if (!before && this.kept.size >= KNOWN_MAX) return;
    if (before && !isSamePlace(before.presence, presence)) this.drop(connection);
    this.kept.set(connection, { presence, until: now + PRESENCE_TIMES.presentForMs });
    const threads = this.boards.get(boardKey(presence)) ?? new Map<string, Set<string>>();
    this.boards.set(boardKey(presence), threads);
    threads.set(presence.threadId, (threads.get(presence.threadId) ?? new Set()).add(connection));
    // Most are said again only so that they do not end.
    if (!before || !isSame(before.presence, presence)) this.changed(presence, presence.threadId);
  }

  has(connection: string): boolean {
    return this.kept.has(connection);
  }

  /** A connection is in no dialog. */
  drop(connection: string): void {
    const presence = this.kept.get(connection)?.presence;
    if (!presence) return;
    this.kept.delete(connection);
    const threads = this.boards.get(boardKey(presence));
    const connections = threads?.get(presence.threadId);
    connections?.delete(connection);
    if (connections?.size === 0) threads?.delete(presence.threadId);
    if (threads?.size === 0) this.boards.delete(boardKey(presence));
    this.changed(presence, presence.threadId);
  }

  /** Drops those of whom nothing was heard for too long. */
  expire(now: number): void {
    for (const [connection, { until }] of this.kept) if (until <= now) this.drop(connection);
  }

  /** The dialogs of a board in which somebody is. */
  threadsOf(address: BoardAddress): string[] {
    return [...(this.boards.get(boardKey(address))?.keys() ?? [])];
  }

  /** The people in a dialog, each once, by their ids. Who types by one of several connections types. */
  usersOf(address: BoardAddress, threadId: string): PresentUser[] {
    const users = new Map<string, PresentUser>();
    for (const connection of this.boards.get(boardKey(address))?.get(threadId) ?? []) {
      const presence = this.kept.get(connection)?.presence;
      if (!presence) continue;
      const { userId: id, name, typing } = presence;
      users.set(id, { id, name, typing: typing || users.get(id)?.typing === true });
    }
    return [...users.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  }
}

const isSamePlace = (one: Presence, other: Presence): boolean =>
  boardKey(one) === boardKey(other) && one.threadId === other.threadId;

/** Whether one says nothing that the other did not. */
export const isSame = (one: Presence, other: Presence): boolean =>
  isSamePlace(one, other) && one.name === other.name && one.typing === other.typing;
