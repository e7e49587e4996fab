import type { ThreadAnswer } from '@app/client/api-types';
import { api } from '../../../shared/api/page-api';
import { threadIdsIn } from '../parts/thread-id.format';

/** A dialog of a customer, as much of it as is kept. */
export type FoundThread = Pick<ThreadAnswer, 'thread_id' | 'assistant_id' | 'phone' | 'customer_name'> & {
  /** Null: it has just been erased. */
  updatedAt: string | null;
  erased: boolean;
};

/** Whose data are asked for, by what somebody typed. */
export type Asked = { phone: string } | { threadId: string };

/**
 * A dialog may have a phone that is no valid number any more, so such a phone is searched for as it was typed.
 * @param countryOf tells the country in which a phone is read that does not say its own
 * @returns null for what is neither a phone nor a dialog
 */
export async function readAsked(
  text: string,
  countryOf: () => Promise<string | null>,
): Promise<Asked | null> {
  const [threadId] = threadIdsIn(text);
  if (threadId !== undefined) return { threadId };
  const { readPhone } = await import('@app/contracts/values/phone-reader');
  let { phone, fault } = readPhone(text, null);
  if (fault === 'no_country') ({ phone, fault } = readPhone(text, await countryOf()));
  if (phone !== null) return { phone };
  const digits = text.replace(/\D/g, '');
  const isTyped = fault !== 'letters' && fault !== 'ambiguous' && /^[1-9]\d{6,14}$/.test(digits);
  return isTyped ? { phone: `+${digits}` } : null;
}

/**
 * The dialogs of a customer, on all numbers of the account: those that the phone leads to, and all that are known to be of the
 * same customer. One that was asked for comes first.
 */
export async function findCustomer(asked: Asked): Promise<FoundThread[]> {
  const found = new Map<string, ThreadAnswer>();
  const find = async (filter: { phones: string[] } | { thread_ids: string[] }): Promise<void> => {
    const { threads } = await api.post('/api/v1/messages/get-threads', { body: { ...filter, limit: 200 } });
    // During an update a process of the former version knows no filter by ids, and lists others.
    const asksFor = 'thread_ids' in filter ? new Set(filter.thread_ids) : null;
    for (const thread of threads)
      if (asksFor?.has(thread.thread_id) ?? true) found.set(thread.thread_id, thread);
  };
  if ('phone' in asked) await find({ phones: [asked.phone] });
  else {
    await find({ thread_ids: [asked.threadId] });
    const phone = found.get(asked.threadId)?.phone;
    if (phone) await find({ phones: [phone] });
  }
  const same = new Set([...found.values()].flatMap(({ same_customer }) => same_customer));
  const further = [...same].filter((id) => !found.has(id));
  if (further.length > 0) await find({ thread_ids: further });
  return [...found.values()].map(
    ({ thread_id, assistant_id, phone, customer_name, updated_at, erased_at }) => ({
      ...{ thread_id, assistant_id, phone, customer_name },
      ...{ updatedAt: updated_at, erased: erased_at !== null },
    }),
  );
}

/**
 * Everything that is kept of a dialog, as a file.
 * @returns null where the answer broke off: then its last line is missing
 */
export async function exportThread(id: string): Promise<Blob | null> {
  const file = await api.file('post', '/api/v1/admin/threads/{id}/export', {
    params: { path: { id } },
    body: {},
  });
  const tail = await file.slice(-2_000).text();
  const last = tail.trimEnd().split('\n').at(-1) ?? '';
  return last.includes('"record":"end"') ? file : null;
}
