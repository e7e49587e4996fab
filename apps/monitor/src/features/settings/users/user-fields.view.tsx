import { Checkbox, Fieldset, Radio, Stack, Text, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useSignedIn } from '../../../shared/session/session.store';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import { FieldWarning } from '../parts/forms/field-warning.view';
import type { UserForm } from './user-form.format';
import { userWords } from './user.words';

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
