import type { RateCounter } from '@app/persistence/accounts/keys/admission.repository';

/** What a key may be used for: messages, leads, or administration of the installation. */
export const SCOPES = ['messages', 'leads', 'admin'] as const;

export type Scope = (typeof SCOPES)[number];

/** What a person may do: an admin may do everything that an operator may. */
export const ROLES = ['operator', 'admin'] as const;

export type Role = (typeof ROLES)[number];

/** Who may do an operation, and which of a key's counters counts it. */
export interface AccessRule {
  counter: RateCounter;
  /** A key with any of these may do it. None: no key may. */
  scopes: readonly Scope[];
  /** The lowest role that may do it; null: no person may. */
  role: Role | null;
  /** By a session it needs the password again, at most ten minutes ago. */
  confirmed?: true;
  /** Of the session itself: allowed before a second factor is enabled where the account demands one. */
  always?: true;
}

const leads: AccessRule = { counter: 'leads', scopes: ['leads'], role: 'operator' };
const messages: AccessRule = { counter: 'general', scopes: ['messages'], role: 'operator' };
const dialogs: AccessRule = { counter: 'general', scopes: ['messages', 'leads'], role: 'operator' };
/** What shows who it is: a key is nobody. */
const people: AccessRule = { counter: 'general', scopes: [], role: 'operator' };
/** What an operator needs to see in order to work. */
const reading: AccessRule = { counter: 'general', scopes: ['admin'], role: 'operator' };
const administration: AccessRule = { counter: 'general', scopes: ['admin'], role: 'admin' };
const confirmed: AccessRule = { ...administration, confirmed: true };
const installation: AccessRule = { counter: 'general', scopes: ['admin'], role: null };

const own: AccessRule = { counter: 'general', scopes: [], role: 'operator', always: true };

/**
 * Which principal may do what, by operation. Nothing else decides it. An admin key governs all accounts, an admin only
 * the own one. The names are those of the audit's actions: `<thing>.<verb>`.
 */
export const OPERATIONS = {
  'lead.list_statuses': leads,
  'lead.get': leads,
  'lead.set_status': leads,
  'lead.set_status_bulk': leads,
  'lead.get_history': leads,
  'lead.get_funnel_figures': leads,
  'lead.set_ai': leads,
  'lead.set_name': leads,
  'lead.assign': leads,
  'lead.list_assignees': leads,
  'lead.clear_attention': leads,
  'lead.export': { ...leads, confirmed: true },
  'import.create': leads,
  'import.get': leads,
  'import.cancel': leads,
  'board.open': leads,
  'presence.set': people,

  'message.send_template': messages,
  'message.send_text': messages,
  'message.request_phone': messages,
  'message.get': messages,
  'message.settle': messages,
  'media.read': messages,
  'media.upload': messages,
  'message.mark_read': messages,
  'message.add_note': messages,
  'batch.get': messages,
  'batch.list': messages,
  'template.list_sendable': messages,
  'template.get_figures': messages,
  'thread.list': dialogs,
  'message.list': dialogs,

  'session.me': own,
  'session.list': own,
  'session.end': own,
  'session.sign_out': own,
  'session.confirm': own,
  'user.change_password': own,
  'second_factor.begin': own,
  'second_factor.enable': own,
  'second_factor.disable': own,

  'user.list': administration,
  'user.get': administration,
  'user.create': confirmed,
  'user.update': confirmed,
  'user.invite': confirmed,
  'user.end_sessions': confirmed,
  'account.list': administration,
  'account.get': administration,
  'account.create': installation,
  'account.update': administration,
  'key.list': administration,
  'key.create': confirmed,
  'key.update': confirmed,
  'key.rotate': confirmed,
  'key.revoke': confirmed,
  'assistant.list': reading,
  'assistant.get': reading,
  'assistant.create': administration,
  'assistant.update': administration,
  'assistant.try': administration,
  'tool.list': administration,
  'tool.create': confirmed,
  'tool.update': confirmed,
  'tool.delete': administration,
  'status.list': reading,
  'status.get': reading,
  'status.create': administration,
  'status.update': administration,
  'status.archive': administration,
  'bot.list': reading,
  'bot.get': reading,
  'bot.create': administration,
  'bot.update': administration,
  'channel.connect': confirmed,
  'channel.disconnect': administration,
  'channel.test': administration,
  'template.list': reading,
  'template.get': reading,
  'template.create': administration,
  'template.update': administration,
  'template.delete': administration,
  'template.submit': administration,
  'template.synchronize': administration,
  'scenario.list': reading,
  'scenario.get': reading,
  'scenario.create': administration,
  'scenario.update': administration,
  'scenario.archive': administration,
  'scenario.cancel_runs': administration,
  'scenario.start': administration,
  'scenario.try': administration,
  'scenario.rotate_secret': confirmed,
  'run.list': reading,
  'run.get': reading,
  'run.cancel': administration,
  'run.retry': administration,
  'run.resolve': administration,
  'thread.export': confirmed,
  'thread.erase': administration,
  'webhook_reject.list': administration,
  'webhook_reject.retry': administration,
  'webhook_reject.delete': administration,
  'webhook_endpoint.list': administration,
  'webhook_endpoint.get': administration,
  'webhook_endpoint.create': confirmed,
  'webhook_endpoint.update': confirmed,
  'webhook_endpoint.delete': administration,
  'webhook_endpoint.rotate_secret': confirmed,
  'webhook_endpoint.test': administration,
  'webhook_endpoint.replay': administration,
  'webhook_delivery.list': administration,
  'webhook_delivery.get': administration,
  'webhook_delivery.retry': administration,
  'work.get': administration,
  'audit.list': administration,
} as const satisfies Record<string, AccessRule>;

export type Operation = keyof typeof OPERATIONS;

export const accessRuleOf = (operation: Operation): AccessRule => OPERATIONS[operation];
