import type { ContactAddress, ProviderEvent, WebhookItem } from './provider-events';

const STEP = /([^.[\]]+)|\[(\d+)\]/g;

/**
 * The items of one body by their paths, such as `entry[0].changes[1].value.messages[3]`. The body is parsed once, on
 * demand.
 */
export class BodyItems {
  private parsed: { value: unknown } | null = null;

  constructor(private readonly body: Buffer) {}

  /** The text of an item, to be stored with its reject; the whole body's where the item cannot be found. */
  textOf(path: string): string {
    try {
      const found = this.find(path);
      if (found !== undefined) return JSON.stringify(found);
    } catch {
      // An item that is nested too deeply to be written again is stored as it came.
    }
    return this.body.toString('utf8');
  }

  private find(path: string): unknown {
    this.parsed ??= { value: JSON.parse(this.body.toString('utf8')) };
    let found = this.parsed.value;
    for (const [, name, index] of path.matchAll(STEP)) {
      if (typeof found !== 'object' || found === null) return undefined;
      const key = name ?? index ?? '';
      found = Object.hasOwn(found, key) ? (found as Record<string, unknown>)[key] : undefined;
    }
    return found;
  }
}

/** An item that needs processing. */
export type OpenItem = Exclude<WebhookItem, { ignored: string }>;

/**
 * Groups of items that may be applied at the same time: the items of one dialog keep their order. A customer who is named by
 * different addresses is one customer, where the items of the webhook, one by one, lead from one address to the other.
 */
export function groupsOf(items: readonly WebhookItem[]): OpenItem[][] {
  const open = items.filter((item): item is OpenItem => !('ignored' in item));
  const named = open.map((item) => ({ item, names: namesOf(item) }));
  const names = new JoinedNames();
  for (const { names: itsNames } of named) names.join(itsNames);
  const groups = Map.groupBy(named, ({ names: [name = ''] }) => names.headOf(name));
  return [...groups.values()].map((group) => group.map(({ item }) => item));
}

/** Names of which some are of one customer. Each set of them has a head. */
class JoinedNames {
  /** From a name to one that is nearer to its head. */
  private readonly nearer = new Map<string, string>();

  join([first = '', ...others]: readonly string[]): void {
    for (const other of others) {
      const [head, joined] = [this.headOf(first), this.headOf(other)];
      if (head !== joined) this.nearer.set(joined, head);
    }
  }

  headOf(name: string): string {
    for (let next = this.nearer.get(name); next !== undefined; next = this.nearer.get(name)) {
      const afterNext = this.nearer.get(next);
      // The way gets shorter each time that it is gone.
      if (afterNext !== undefined) this.nearer.set(name, afterNext);
      name = next;
    }
    return name;
  }
}

/** What an item is about: its dialog by each address that it tells, else what its order matters for. */
function namesOf(item: OpenItem): string[] {
  if (!('event' in item)) return [`unreadable ${item.path}`];
  const { event } = item;
  const customer = customerOf(event);
  if (customer) return [customer, ...toldBy(event)].flatMap(addressesOf);
  if (event.kind === 'state')
    return [`state ${event.providerId ?? event.whatsappId ?? event.reference ?? ''}`];
  return [event.kind];
}

const addressesOf = ({ phone, userId }: Partial<ContactAddress>): string[] =>
  [phone, userId].flatMap((address) => (address ? [`dialog ${address}`] : []));

/** What else an event tells of its customer's addresses. */
function toldBy(event: ProviderEvent): Partial<ContactAddress>[] {
  if (event.kind === 'address') return [event.to];
  return event.kind === 'message' && event.shared ? [event.shared] : [];
}

/** The dialog of an event. A state changes only its own message. */
function customerOf(event: ProviderEvent): ContactAddress | null {
  switch (event.kind) {
    case 'message':
    case 'address':
      return event.from;
    case 'echo':
      return event.to;
    case 'past':
    case 'preference':
    case 'contact':
    case 'handover':
      return event.contact;
    case 'state':
    case 'template':
    case 'account':
      return null;
  }
}
