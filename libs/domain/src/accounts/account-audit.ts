import type { AccountRow } from '@app/persistence/accounts/account.repository';
import type { ApiKeyRow } from '@app/persistence/accounts/keys/api-key.repository';
import type { AuditedThing } from '../audit/audited-thing';

export const AUDITED_ACCOUNT: AuditedThing<AccountRow> = {
  type: 'account',
  subjectOf: ({ id, name }) => ({ accountId: id, id, name }),
  shown: [
    'name',
    'monthly_message_quota',
    'media_quota_bytes',
    'automation_paused',
    'second_factor_required',
    'retention_days',
    'default_country',
    'timezone',
    'opening_hours',
    'takeover_end',
    'transcription',
    'assign_on_reply',
    'opt_out_words',
    'opt_in_words',
  ],
};

/** Without anything of its secret. */
export const AUDITED_KEY: AuditedThing<ApiKeyRow> = {
  type: 'key',
  subjectOf: ({ account_id: accountId, id, name }) => ({ accountId, id, name }),
  shown: [
    ...(['name', 'scopes', 'bot_ids', 'assistant_ids', 'limit_leads', 'limit_general'] as const),
    ...(['expires_at', 'revoked_at'] as const),
  ],
};
