import type { AuditAction } from './audit.query';

/** Every action that an entry can tell of. */
const EACH: Record<AuditAction, true> = {
  ...{ 'access.refused': true, 'account.create': true, 'account.update': true },
  ...{ 'assistant.create': true, 'assistant.update': true, 'bot.create': true, 'bot.update': true },
  ...{ 'channel.connect': true, 'channel.disconnect': true, 'channel.test': true },
  ...{ 'import.cancel': true, 'import.create': true, 'lead.export': true },
  ...{ 'key.create': true, 'key.revoke': true, 'key.rotate': true, 'key.update': true },
  ...{ 'run.cancel': true, 'run.resolve': true, 'run.retry': true },
  ...{ 'scenario.archive': true, 'scenario.cancel_runs': true, 'scenario.create': true },
  ...{ 'scenario.rotate_secret': true, 'scenario.start': true, 'scenario.update': true },
  ...{ 'second_factor.begin': true, 'second_factor.disable': true, 'second_factor.enable': true },
  ...{ 'session.create': true, 'session.end': true, 'session.refused': true },
  ...{ 'status.archive': true, 'status.create': true, 'status.update': true },
  ...{ 'template.create': true, 'template.delete': true, 'template.submit': true },
  ...{ 'template.synchronize': true, 'template.update': true },
  ...{ 'thread.erase': true, 'thread.export': true },
  ...{ 'tool.create': true, 'tool.delete': true, 'tool.update': true },
  ...{ 'user.accept_invitation': true, 'user.change_password': true, 'user.create': true },
  ...{ 'user.end_sessions': true, 'user.invite': true, 'user.update': true },
  ...{ 'webhook_delivery.retry': true, 'webhook_endpoint.create': true, 'webhook_endpoint.delete': true },
  ...{
    'webhook_endpoint.disable': true,
    'webhook_endpoint.replay': true,
    'webhook_endpoint.rotate_secret': true,
  },
  ...{ 'webhook_endpoint.test': true, 'webhook_endpoint.update': true },
  ...{ 'webhook_reject.delete': true, 'webhook_reject.retry': true },
};

export const ACTIONS = Object.keys(EACH) as AuditAction[];
