import type { ChangeUserRequest, UserAnswer } from '@app/client/api-types';
import { changesOf } from '../parts/changes.format';
import { userWords } from './user.words';

/** A person as the form has it. */
export interface UserForm {
  name: string;
  email: string;
  role: UserAnswer['role'];
  reach: 'all' | 'some';
  assistantIds: string[];
  locale: UserAnswer['locale'];
}

export const newUserForm = (locale: UserAnswer['locale']): UserForm => ({
  ...{ name: '', email: '', role: 'operator', reach: 'all', assistantIds: [], locale },
});

export const formOf = ({ name, email, role, assistant_ids, locale }: UserAnswer): UserForm => ({
  ...{ name, email, role, locale },
  reach: assistant_ids === null ? 'all' : 'some',
  assistantIds: assistant_ids ?? [],
});

export const faultsOf = ({ name, email }: UserForm): Partial<Record<keyof UserForm, string>> => ({
  ...(name.trim() === '' ? { name: userWords.say('nameNeeded') } : {}),
  ...(/^\S+@\S+$/.test(email.trim()) ? {} : { email: userWords.say('emailNeeded') }),
});

export const bodyOf = ({ name, email, role, reach, assistantIds, locale }: UserForm) => ({
  ...{ name: name.trim(), email: email.trim(), role, locale },
  assistant_ids: reach === 'all' ? null : assistantIds,
});

export const changeOf = (form: UserForm, before: UserForm): ChangeUserRequest =>
  changesOf<ChangeUserRequest>(bodyOf(before), bodyOf(form));

/** Where a fault that the server has found stands in the form. */
export const fieldOf = (path: string): string => (path.startsWith('assistant_ids') ? 'assistantIds' : path);
