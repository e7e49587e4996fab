import type { ContactAddress, ProviderEvent, WebhookItem } from './provider.events';

/** An item that needs processing. */
export type OpenItem = Exclude<WebhookItem, { ignored: string }>;

/**
 * Groups of items that may be applied at the same time: the items of one dialog keep their order. A customer named by
 * phone in one item and by user id in another is one customer, where any item of the webhook names both.
 */
export function groupsOf(items: readonly WebhookItem[]): OpenItem[][] {
  const open = items.filter((item): item is OpenItem => !('ignored' in item));
  const phones = new Map<string, string>();
  for (const item of open) {
    const customer = 'event' in item ? customerOf(item.event) : null;
    if (customer?.phone && customer.userId) phones.set(customer.userId, customer.phone);
  }
  const groups = new Map<string, OpenItem[]>();
  for (const item of open) {
    const key = 'event' in item ? keyOf(item.event, phones) : `unreadable ${item.path}`;
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return [...groups.values()];
}

function keyOf(event: ProviderEvent, phones: ReadonlyMap<string, string>): string {
  const customer = customerOf(event);
  if (customer)
    return `dialog ${customer.phone ?? phones.get(customer.userId ?? '') ?? customer.userId ?? ''}`;
  if (event.kind === 'state') return `state ${event.providerId ?? event.whatsappId ?? event.reference ?? ''}`;
  return event.kind;
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
