import type { Card } from '@app/contracts/board-events';
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
    const { thread_id: id, attention, waiting_reason: reason } = card;
    const key = attention ? `attention_${attention.reason}` : `waits_${reason}`;
    const body = leadWords.has(key) ? leadWords.say(key) : (attention?.reason ?? reason ?? undefined);
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

let context: AudioContext | null = null;

const TONES = [660, 880] as const;
const TONE_SECONDS = 0.16;
const VOLUME = 0.15;

/** Two short tones. A browser lets a page sound only once somebody has clicked or typed in it. */
export function soundAlert(): void {
  if (typeof AudioContext === 'undefined' || navigator.userActivation?.hasBeenActive === false) return;
  context ??= new AudioContext();
  void context.resume().catch(() => undefined);
  TONES.forEach((frequency, index) => sound(context as AudioContext, frequency, index * TONE_SECONDS));
}

function sound(audio: AudioContext, frequency: number, after: number): void {
  const [tone, volume] = [audio.createOscillator(), audio.createGain()];
  const at = audio.currentTime + after;
  tone.frequency.value = frequency;
  volume.gain.setValueAtTime(VOLUME, at);
  volume.gain.exponentialRampToValueAtTime(0.001, at + TONE_SECONDS);
  tone.connect(volume).connect(audio.destination);
  tone.start(at);
  tone.stop(at + TONE_SECONDS);
}
