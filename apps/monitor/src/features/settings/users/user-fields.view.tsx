import type { ChangeUserRequest, UserAnswer } from '@app/client/api-types';
import { ApiError } from '@app/client/api.errors';
import { Checkbox, Fieldset, Radio, Stack, Text, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { RefObject } from 'react';
import { useSignedIn } from '../../../shared/session/session.store';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import { changesOf } from '../parts/changes.format';
import { FieldWarning } from '../parts/forms/fields.view';
import { focusFirstError } from '../parts/forms/save.hook';
import { userWords } from './user.words';

/** A person as the form has it. */
interface UserForm {
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

/** Who a person is, and what the person may do. */
export function UserFields({ form }: { form: UseFormReturnType<UserForm> }) {
  const t = userWords.use();
  const { assistants } = useSignedIn();
  const { role, reach, assistantIds } = form.getValues();
  const isOfSome = role === 'operator' && reach === 'some';
  return (
    <Fieldset legend={t('person')}>
      <Stack gap="md">
        <TextInput label={t('name')} required maxLength={200} {...form.getInputProps('name')} />
        <TextInput label={t('email')} type="email" required {...form.getInputProps('email')} />
        <Radio.Group label={t('role')} {...form.getInputProps('role')}>
          <Stack gap="xs" mt={4}>
            <Radio value="operator" label={t('role_operator')} description={t('roleHint_operator')} />
            <Radio value="admin" label={t('role_admin')} description={t('roleHint_admin')} />
          </Stack>
        </Radio.Group>
        {role === 'operator' && (
          <div>
            <Radio.Group label={t('agents')} description={t('agentsHint')} {...form.getInputProps('reach')}>
              <Stack gap="xs" mt={4}>
                <Radio value="all" label={t('allAgents')} />
                <Radio value="some" label={t('someAgents')} />
              </Stack>
            </Radio.Group>
            {isOfSome && (
              <Checkbox.Group mt="xs" aria-label={t('someAgents')} {...form.getInputProps('assistantIds')}>
                <Stack gap="xs" pl={28}>
                  {assistants.map(({ id, name }) => (
                    <Checkbox key={id} value={id} label={<CustomerText text={name} />} />
                  ))}
                  {assistants.length === 0 && (
                    <Text size="sm" c="dimmed">
                      {t('noAgents')}
                    </Text>
                  )}
                </Stack>
              </Checkbox.Group>
            )}
            <FieldWarning text={isOfSome && assistantIds.length === 0 ? t('noAgentTicked') : null} />
          </div>
        )}
        <Radio.Group label={t('language')} {...form.getInputProps('locale')}>
          <Stack gap="xs" mt={4}>
            <Radio value="ru" label={t('ru')} />
            <Radio value="en" label={t('en')} />
          </Stack>
        </Radio.Group>
      </Stack>
    </Fieldset>
  );
}

/** Refusals that are about one field are shown there too. */
export async function atTheirFields<Result>(
  form: UseFormReturnType<UserForm>,
  formRef: RefObject<HTMLFormElement | null>,
  call: () => Promise<Result>,
): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    const code = error instanceof ApiError ? error.code : null;
    if (code === 'EMAIL_TAKEN') form.setFieldError('email', userWords.say('emailTaken'));
    if (code === 'LAST_ADMIN') form.setFieldError('role', userWords.say('lastAdmin'));
    if (code === 'EMAIL_TAKEN' || code === 'LAST_ADMIN') focusFirstError(formRef.current);
    throw error;
  }
}
