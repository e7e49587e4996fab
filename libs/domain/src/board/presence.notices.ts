import { randomUUID } from 'node:crypto';
import { Notifications } from '@app/persistence/work/notifications.connection';
import { Injectable } from '@nestjs/common';
import type { Presence } from './presence.book';

interface Listener {
  /** @param presence null: the connection is nowhere any more */
  heard: (connection: string, presence: Presence | null) => void;
  /** Another process does not know yet who is where. */
  asked: () => void;
}

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

  tell(connection: string, presence: Presence | null): void {
    this.send({ connection: `${this.process} ${connection}`, presence });
  }

  private send(what: Omit<Sent, 'n'>): void {
    this.sent += 1;
    this.notifications.notify('leadline_presence', JSON.stringify({ n: this.sent, ...what }));
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
