import { contactOf } from '@app/contracts/contact.address';
import { useEffect, useRef, useState } from 'react';
import { api } from '../../shared/api/page.api';
import { isDialog } from './recipient.check';
import type { Sender } from './send.types';

/** So many of them get-threads takes, or lists, at once. */
const AT_ONCE = { phones: 500, dialogs: 200 };
/** Phones that are being typed are not asked for yet. */
const QUIET_MS = 400;

export interface OptedOut {
  state: 'asking' | 'known' | 'failed';
  /** The addresses ({@link contactOf}) of those who unsubscribed. */
  contacts: ReadonlySet<string>;
  error: unknown;
  retry: () => void;
}

const NOBODY: ReadonlySet<string> = new Set();

/** A dialog may have another phone than the one that leads to it, so they are told by the phones that were asked for. */
async function whoOptedOut(sender: Sender, phones: string[], signal: AbortSignal): Promise<string[]> {
  const of = { bot_id: sender.botId, channel: sender.channel, opted_out: true };
  const path = '/api/v1/messages/get-threads';
  if (phones.some(isDialog)) {
    const body = { ...of, thread_ids: phones, limit: AT_ONCE.dialogs };
    return (await api.post(path, { body, signal })).threads.map(({ thread_id: id }) => id);
  }
  const { not_found: others } = await api.post(path, { body: { ...of, phones, limit: 1 }, signal });
  const isOther = new Set(others);
  return phones.filter((phone) => !isOther.has(phone)).map(contactOf);
}

/** Who of these has unsubscribed at this number. Nobody is asked for twice. */
export function useOptedOut(sender: Sender | null, phones: readonly string[]): OptedOut {
  const known = useRef({ of: '', asked: new Set<string>(), contacts: NOBODY });
  const [shown, setShown] = useState<Omit<OptedOut, 'retry'>>({
    state: 'known',
    contacts: NOBODY,
    error: null,
  });
  const [tries, setTries] = useState(0);
  const of = sender ? `${sender.botId} ${sender.channel}` : '';

  useEffect(() => {
    if (known.current.of !== of) known.current = { of, asked: new Set(), contacts: NOBODY };
    const mine = known.current;
    const contacts = new Map(phones.map((phone) => [contactOf(phone), phone]));
    const unknown = [...contacts].filter(([contact]) => !mine.asked.has(contact));
    if (!sender || unknown.length === 0) {
      setShown({ state: 'known', contacts: mine.contacts, error: null });
      return;
    }
    setShown({ state: 'asking', contacts: mine.contacts, error: null });
    const left = new AbortController();
    const askFor = async (some: typeof unknown, atOnce: number): Promise<void> => {
      for (let at = 0; at < some.length; at += atOnce) {
        const part = some.slice(at, at + atOnce);
        const found = await whoOptedOut(
          sender,
          part.map(([, to]) => to),
          left.signal,
        );
        for (const [contact] of part) mine.asked.add(contact);
        mine.contacts = new Set([...mine.contacts, ...found]);
      }
    };
    const ask = async (): Promise<void> => {
      await askFor(
        unknown.filter(([, to]) => !isDialog(to)),
        AT_ONCE.phones,
      );
      await askFor(
        unknown.filter(([, to]) => isDialog(to)),
        AT_ONCE.dialogs,
      );
      setShown({ state: 'known', contacts: mine.contacts, error: null });
    };
    const timer = setTimeout(() => {
      ask().catch((error: unknown) => {
        if (!left.signal.aborted) setShown({ state: 'failed', contacts: mine.contacts, error });
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
