import type { Card } from '@app/contracts/board.events';
import { customerName } from '../../shared/leads/lead-names.format';
import { leadWords } from '../../shared/leads/lead.words';

/** After hours without connection many may have come together. */
const SHOWN_AT_ONCE = 5;

/** Asks the person, which browsers allow at a click only. @returns whether they are shown */
export async function askForNotifications(): Promise<boolean> {
  if (typeof Notification === 'undefined') return false;
  return (await Notification.requestPermission()) === 'granted';
}

/** What the system shows outside of the page, by dialog. */
export class DesktopNotifications {
  private readonly shown = new Map<string, Notification>();

  constructor(private readonly onOpen: (threadId: string) => void) {}

  show(cards: readonly Card[]): void {
    if (typeof Notification === 'undefined' || Notification.permission !== 'granted') return;
    for (const card of cards.slice(0, SHOWN_AT_ONCE)) this.showOne(card);
  }

  close(threadId: string): void {
    this.shown.get(threadId)?.close();
    this.shown.delete(threadId);
  }

  closeAll(): void {
    for (const id of [...this.shown.keys()]) this.close(id);
  }

  private showOne(card: Card): void {
    const { thread_id: id, attention } = card;
    const key = `attention_${attention?.reason}`;
    const body = leadWords.has(key) ? leadWords.say(key) : attention?.reason;
    try {
      const notification = new Notification(customerName(card), { body, tag: id });
      notification.onclick = () => {
        window.focus();
        this.close(id);
        this.onOpen(id);
      };
      this.shown.set(id, notification);
    } catch {
      // Browsers of phones show none for a page: the sound remains.
    }
  }
}
