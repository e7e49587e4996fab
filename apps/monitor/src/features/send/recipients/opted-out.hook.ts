import type { Card } from '@app/contracts/board-events';
import { contactOf } from '@app/contracts/values/phone.words';
import { useEffect, useRef, useState } from 'react';
import { api } from '../../../shared/api/page-api';
import { CARDS_AT_ONCE, readCards } from '../../../shared/leads/leads.query';
import { isDialog } from './recipient-check';
import type { Sender } from '../send-types';

/** So many phones get-threads takes at once. */
const PHONES_AT_ONCE = 500;
/** Phones that are being typed are not asked for yet. */
const QUIET_MS = 400;

export interface OptedOut {
  state: 'asking' | 'known' | 'failed';
  /** The addresses ({@link contactOf}) of those who unsubscribed, of the phones. */
  contacts: ReadonlySet<string>;
  /** The cards of the dialogs; null: there is no such dialog. */
  dialogs: ReadonlyMap<string, Card | null>;
  error: unknown;
  retry: () => void;
}

const NOBODY = { contacts: new Set<string>(), dialogs: new Map<string, Card | null>() };

/** A dialog may have another phone than the one that leads to it, so they are told by the phones that were asked for. */
async function whoOptedOut(sender: Sender, phones: string[], signal: AbortSignal): Promise<string[]> {
  const of = { bot_id: sender.botId, channel: sender.channel, opted_out: true };
  const body = { ...of, phones, limit: 1 };
  const { not_found: others } = await api.post('/api/v1/messages/get-threads', { body, signal });
  const isOther = new Set(others);
  return phones.filter((phone) => !isOther.has(phone)).map(contactOf);
}

/** Who of these has unsubscribed at this number, and what the dialogs among them are. Nobody is asked for twice. */
export function useOptedOut(sender: Sender | null, phones: readonly string[]): OptedOut {
  const known = useRef({ of: '', asked: new Set<string>(), ...NOBODY });
  const [shown, setShown] = useState<Omit<OptedOut, 'retry'>>({
    state: 'known',
    ...NOBODY,
    error: null,
  });
  const [tries, setTries] = useState(0);
  const of = sender ? `${sender.botId} ${sender.channel}` : '';

  useEffect(() => {
    if (known.current.of !== of) known.current = { of, asked: new Set(), ...NOBODY };
    const mine = known.current;
    const show = (state: OptedOut['state'], error: unknown = null): void =>
      setShown({ state, contacts: mine.contacts, dialogs: mine.dialogs, error });
    const contacts = new Map(phones.map((phone) => [contactOf(phone), phone]));
    const unknown = [...contacts].filter(([contact]) => !mine.asked.has(contact));
    if (!sender || unknown.length === 0) {
      show('known');
      return;
    }
    show('asking');
    const left = new AbortController();
    const askFor = async (
      some: typeof unknown,
      atOnce: number,
      ask: (part: string[]) => Promise<void>,
    ): Promise<void> => {
      for (let at = 0; at < some.length; at += atOnce) {
        const part = some.slice(at, at + atOnce);
        await ask(part.map(([, to]) => to));
        for (const [contact] of part) mine.asked.add(contact);
      }
    };
    const ask = async (): Promise<void> => {
      const numbers = unknown.filter(([, to]) => !isDialog(to));
      await askFor(numbers, PHONES_AT_ONCE, async (part) => {
        mine.contacts = new Set([...mine.contacts, ...(await whoOptedOut(sender, part, left.signal))]);
      });
      const dialogs = unknown.filter(([, to]) => isDialog(to));
      await askFor(dialogs, CARDS_AT_ONCE, async (part) => {
        mine.dialogs = new Map([...mine.dialogs, ...(await readCards(part, left.signal))]);
      });
      show('known');
    };
    const timer = setTimeout(() => {
      ask().catch((error: unknown) => {
        if (!left.signal.aborted) show('failed', error);
      });
    }, QUIET_MS);
    return () => {
      clearTimeout(timer);
      left.abort();
    };
    // A sender with the same ids is the same.
  }, [of, phones, tries]);

  return { ...shown, retry: () => setTries((count) => count + 1) };
}
