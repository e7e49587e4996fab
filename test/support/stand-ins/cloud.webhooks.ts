import { createHmac } from 'node:crypto';
import { request, type Answer } from '../clients/api.client';
import { SECRETS } from '../programs/server.process';
import { businessOf } from './provider.numbers';

/** One entry of a webhook's `changes`. */
export interface Change {
  field: string;
  value: object;
}

/** Who writes, or is written to. */
export interface Customer {
  /** Digits. */
  phone?: string;
  userId?: string;
  name?: string;
}

/** The business account of changes that name no number. */
export const BUSINESS_ID = '900000000000001';

let counted = 0;

/** An id of a message as the Cloud API makes them. */
export const wamid = (): string => `wamid.${process.pid}.${(counted += 1)}`;

/** Whole seconds, as Meta gives them. */
export const secondsAgo = (seconds: number): number => Math.floor(Date.now() / 1000) - seconds;

const text = (body: string): object => ({ type: 'text', text: { body } });

const contactsOf = ({ phone, userId, name }: Customer): object[] => [
  { wa_id: phone, user_id: userId, profile: name === undefined ? undefined : { name } },
];

/** What Meta tells of one number of ours. */
export class CloudNumber {
  constructor(readonly phoneNumberId: string) {}

  message(
    from: Customer,
    content: string | object,
    { id = wamid(), at = secondsAgo(0) }: { id?: string; at?: number } = {},
  ): Change {
    const message = {
      from: from.phone,
      from_user_id: from.userId,
      id,
      timestamp: String(at),
      ...(typeof content === 'string' ? text(content) : content),
    };
    return this.change('messages', { contacts: contactsOf(from), messages: [message] });
  }

  /** Without a recipient, unless one is given: it would teach the dialog an address. */
  status(id: string, status: string, rest: { timestamp?: string; [name: string]: unknown } = {}): Change {
    return this.change('messages', {
      statuses: [{ id, status, timestamp: String(secondsAgo(0)), ...rest }],
    });
  }

  echo(to: Customer, content: string | object, id = wamid()): Change {
    const message = {
      from: '77270000000',
      to: to.phone,
      id,
      timestamp: String(secondsAgo(0)),
      ...(typeof content === 'string' ? text(content) : content),
    };
    return this.change('smb_message_echoes', { message_echoes: [message] });
  }

  /** The end of a call that nobody took. */
  missedCall(from: Customer, id = wamid()): Change {
    const [at, direction] = [String(secondsAgo(0)), 'USER_INITIATED'];
    const call = { id, from: from.phone, from_user_id: from.userId, to: '77270000000', timestamp: at };
    return this.change('calls', {
      contacts: contactsOf(from),
      calls: [{ ...call, direction, event: 'terminate', status: 'FAILED' }],
    });
  }

  /** A customer's message while another AI on the number conducts the dialog. */
  standbyMessage(from: Customer, content: string | object, given?: { id?: string; at?: number }): Change {
    const { value } = this.message(from, content, given);
    const { contacts, messages, ...rest } = value as Record<string, unknown>;
    return { field: 'standby', value: { ...rest, standby: { contacts, messages } } };
  }

  /** What another AI on the number wrote. */
  standbyEcho(to: Customer, body: string, { id = wamid(), at = secondsAgo(0) } = {}): Change {
    const message = { to: to.phone, recipient_type: 'individual', ...text(body) };
    return this.change('standby', { standby: { message_echoes: [{ id, timestamp: String(at), message }] } });
  }

  /** A dialog is passed to us by the other AI, or taken from us. */
  handover(customer: Customer, type: 'control_passed' | 'control_taken', at = secondsAgo(0)): Change {
    const roles =
      type === 'control_passed'
        ? { previous_owner_role: 'ai_agent', new_owner_role: 'escalation' }
        : { previous_owner_role: 'escalation', new_owner_role: 'ai_agent' };
    const { metadata: _, ...value } = this.change('', {
      recipient: { display_phone_number: '77270000000', phone_number_id: this.phoneNumberId },
      sender: { phone_number: customer.phone, user_id: customer.userId },
      ...{ timestamp: String(at), type, [type]: roles },
    }).value as Record<string, unknown>;
    return { field: 'messaging_handovers', value };
  }

  /** Messages of one dialog from before, the oldest first: whether the customer wrote it, its text and state. */
  history(
    customer: Customer,
    messages: readonly { ours?: boolean; text: string; at: number; id?: string; status?: string }[],
  ): Change {
    return this.change('history', {
      history: [
        {
          metadata: { phase: 0, chunk_order: 1, progress: 100 },
          threads: [
            {
              id: customer.phone,
              messages: messages.map(({ ours = false, text: body, at, id = wamid(), status = 'READ' }) => ({
                from: ours ? '77270000000' : customer.phone,
                to: ours ? customer.phone : '77270000000',
                id,
                timestamp: String(at),
                ...text(body),
                history_context: { status },
              })),
            },
          ],
        },
      ],
    });
  }

  preference(customer: Customer, value: 'stop' | 'resume', at = secondsAgo(0)): Change {
    const { phone: wa_id, userId: user_id } = customer;
    return this.change('user_preferences', {
      contacts: contactsOf(customer),
      user_preferences: [{ wa_id, user_id, category: 'marketing_messages', value, timestamp: at }],
    });
  }

  /** Any other field about the number. */
  change(field: string, value: object): Change {
    const metadata = { display_phone_number: '77270000000', phone_number_id: this.phoneNumberId };
    return { field, value: { messaging_product: 'whatsapp', metadata, ...value } };
  }
}

/** The business account that tells of a change. */
function ownerOf({ value }: Change): string {
  type Named = Partial<Record<'metadata' | 'recipient', { phone_number_id?: string }>>;
  const { metadata, recipient } = value as Named;
  const number = (metadata ?? recipient)?.phone_number_id;
  return number === undefined ? BUSINESS_ID : businessOf(number);
}

/**
 * The body of one webhook, with every character that is not ASCII escaped as Meta does.
 * @param time in whole seconds; Meta gives it with fields of the account and of templates.
 */
export function cloudBody(changes: readonly Change[], time?: number): string {
  const entry: { id: string; time?: number; changes: Change[] }[] = [];
  for (const change of changes) {
    const id = ownerOf(change);
    const last = entry.at(-1);
    if (last?.id === id) last.changes.push(change);
    else entry.push({ id, time, changes: [change] });
  }
  const body = { object: 'whatsapp_business_account', entry };
  return JSON.stringify(body).replace(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Posts a webhook of the Cloud API, signed by the secret of the servers under test. */
export async function postCloud(server: { url: string }, body: string): Promise<Answer> {
  const signature = createHmac('sha256', SECRETS.CLOUD_API_APP_SECRET).update(body).digest('hex');
  return request(`${server.url}/webhooks/whatsapp`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Hub-Signature-256': `sha256=${signature}` },
    body,
  });
}

/** Posts a webhook of Gupshup to a bot's own address. */
export async function postGupshup(server: { url: string }, botId: string, body: object): Promise<Answer> {
  return request(`${server.url}/webhooks/gupshup/${botId}?token=${SECRETS.GUPSHUP_WEBHOOK_TOKEN}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
}
