import { randomUUID } from 'node:crypto';
import { Notifications } from '@app/persistence/work/notifications-connection';
import { Injectable } from '@nestjs/common';
import type { Presence } from './presence-book';

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
