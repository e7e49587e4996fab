import type { ApiKeyAnswer, ChangeApiKeyRequest, IssueApiKeyRequest } from '@app/client/api-types';
import { serverNow } from '../../../shared/format/server-clock';
import { localInput } from '../parts/local-time.format';
import { changesOf } from '../parts/changes.format';
import { keyWords } from './key.words';

/** A key as its form has it. */
export interface KeyForm {
  name: string;
  scopes: string[];
  assistantIds: string[];
  botIds: string[];
  limitLeads: number | '';
  limitGeneral: number | '';
  /** As `<input type="datetime-local">` has it; empty: never. */
  expiresAt: string;
}

export const NEW_KEY: KeyForm = {
  ...{ name: '', scopes: ['leads'], assistantIds: [], botIds: [] },
  ...{ limitLeads: '', limitGeneral: '', expiresAt: '' },
};

export const formOf = (key: ApiKeyAnswer): KeyForm => ({
  ...{ name: key.name, scopes: key.scopes, assistantIds: key.assistant_ids, botIds: key.bot_ids },
  ...{ limitLeads: key.limit_leads ?? '', limitGeneral: key.limit_general ?? '' },
  expiresAt: key.expires_at === null ? '' : localInput(key.expires_at),
});

/** Whether it says when the key expires, and that is over. */
const isPast = (expiresAt: string): boolean =>
  expiresAt !== '' && new Date(expiresAt).getTime() <= serverNow();

const isLimit = (limit: number | ''): boolean => limit === '' || (limit >= 1 && limit <= 1_000_000);

/** Faults by field. An expiry that stays as it was may be over. */
export function faultsOf(form: KeyForm, before: KeyForm): Partial<Record<keyof KeyForm, string>> {
  const t = keyWords.say;
  return {
    ...(form.name.trim() === '' ? { name: t('nameNeeded') } : {}),
    ...(form.scopes.length === 0 ? { scopes: t('scopesNeeded') } : {}),
    ...(isLimit(form.limitLeads) ? {} : { limitLeads: t('limitRange') }),
    ...(isLimit(form.limitGeneral) ? {} : { limitGeneral: t('limitRange') }),
    ...(form.expiresAt !== before.expiresAt && isPast(form.expiresAt) ? { expiresAt: t('expiresPast') } : {}),
  };
}

const bodyOf = (form: KeyForm) => ({
  name: form.name.trim(),
  scopes: form.scopes as ApiKeyAnswer['scopes'],
  assistant_ids: form.assistantIds,
  bot_ids: form.botIds,
  limit_leads: form.limitLeads === '' ? null : form.limitLeads,
  limit_general: form.limitGeneral === '' ? null : form.limitGeneral,
  expires_at: form.expiresAt === '' ? null : new Date(form.expiresAt).toISOString(),
});

export function issueOf(form: KeyForm): IssueApiKeyRequest {
  const { expires_at, ...body } = bodyOf(form);
  return { ...body, ...(expires_at === null ? {} : { expires_at }) };
}

export const changeOf = (form: KeyForm, before: KeyForm): ChangeApiKeyRequest =>
  changesOf<ChangeApiKeyRequest>(bodyOf(before), bodyOf(form));

const FIELDS: Record<string, keyof KeyForm> = {
  ...{ assistant_ids: 'assistantIds', bot_ids: 'botIds', expires_at: 'expiresAt' },
  ...{ limit_leads: 'limitLeads', limit_general: 'limitGeneral' },
};

/** Where a fault that the server has found stands in the form. */
export const fieldOf = (path: string): string => {
  const [head = ''] = path.split('.');
  return FIELDS[head] ?? head;
};
