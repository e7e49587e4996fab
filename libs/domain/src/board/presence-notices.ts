import { randomUUID } from 'node:crypto';
import { processLimits } from '@app/config/process-limits';
import type { PresentUser } from '@app/contracts/board-events';
import { Notifications } from '@app/persistence/work/notifications-connection';
import { Injectable } from '@nestjs/common';
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

interface Listener {
  /** @param presence null: the connection is nowhere any more */
  heard: (connection: string, presence: Presence | null) => void;
  /** Another process does not know yet who is where. */
  asked: () => void;
}

/** From one telling of an account's connections to the next, and how many are told then: 1,000 a second. */
const TELL_EVERY_MS = 50;
const TOLD_AT_ONCE = 50;
/** Connections of an account about which something waits to be told. What is lost is said again by those that stay. */
const WAITING_MAX = 2_000;

/** What is sent. It fits into the 8,000 bytes of a notification by far: names have 200 characters at most. */
type Sent = {
  /** Two that are equal otherwise are both sent, with what was said between them. */
  n: number;
} & ({ asks: true } | { connection: string; presence: Presence | null });

/** Tells other processes where the people of this one are. Nothing is stored, and what is lost is said again soon. */
@Injectable()
export class PresenceNotices {
  /** Makes the connections of this process different from those of others. */
  private readonly process = randomUUID();
  private sent = 0;
  /** What is to be told of each account's connections: the last of each. */
  private readonly waiting = new Map<string, Map<string, Presence | null>>();
  private telling: NodeJS.Timeout | null = null;

  constructor(private readonly notifications: Notifications) {}

  start({ heard, asked }: Listener): void {
    this.notifications.listen('leadline_presence', (payload) => {
      // The connection is new: what the others said before was not heard.
      if (payload === null) return this.send({ asks: true });
      const sent = read(payload);
      if (!sent) return;
      if ('asks' in sent) asked();
      else heard(sent.connection, sent.presence);
    });
  }

  /** Tells of a connection at once, or by and by where the account has more to tell than its share. */
  tell(accountId: string, connection: string, presence: Presence | null): void {
    const waiting = this.waiting.get(accountId) ?? new Map<string, Presence | null>();
    if (waiting.size >= WAITING_MAX && !waiting.has(connection)) return;
    this.waiting.set(accountId, waiting.set(connection, presence));
    if (!this.telling) this.tellSome();
  }

  private tellSome(): void {
    for (const [accountId, waiting] of this.waiting) {
      for (const [connection, presence] of [...waiting].slice(0, TOLD_AT_ONCE)) {
        waiting.delete(connection);
        this.send({ connection: `${this.process} ${connection}`, presence }, accountId);
      }
      if (waiting.size === 0) this.waiting.delete(accountId);
    }
    this.telling = setTimeout(() => this.goOn(), TELL_EVERY_MS).unref();
  }

  private goOn(): void {
    this.telling = null;
    if (this.waiting.size > 0) this.tellSome();
  }

  private send(what: Omit<Sent, 'n'>, accountId?: string): void {
    this.sent += 1;
    this.notifications.notify('leadline_presence', JSON.stringify({ n: this.sent, ...what }), accountId);
  }
}

/**
 * Null for a foreign notification: any session of the database may notify, and another version may use another form.
 */
function read(payload: string): Sent | null {
  try {
    const sent = JSON.parse(payload) as Partial<Record<string, unknown>> | null;
    const isNotice = typeof sent?.connection === 'string' && typeof sent.presence === 'object';
    return isNotice || sent?.asks === true ? (sent as unknown as Sent) : null;
  } catch {
    return null;
  }
}
