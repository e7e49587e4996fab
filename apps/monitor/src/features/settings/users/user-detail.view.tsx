import type { InvitationLink, UserAnswer } from '@app/client/api-types';
import { Alert, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { api, queryClient } from '../../../shared/api/page-api';
import { confirmed } from '../../../shared/ui/confirmation.store';
import { DetailHead } from '../parts/lists/detail-head.view';
import { LeaveGuard } from '../parts/forms/leave-guard.view';
import { Mark } from '../parts/mark.view';
import { SaveBar } from '../parts/forms/save-bar.view';
import { focusFirstError, useSave } from '../parts/forms/save.hook';
import { UserActions } from './user-actions.view';
import { changeOf, faultsOf, fieldOf, formOf } from './user-form.format';
import { UserFields } from './user-fields.view';
import { atTheirFields } from './user-faults';
import { usersQuery } from './users.query';
import { userWords } from './user.words';

interface Props {
  user: UserAnswer;
  onLink: (link: InvitationLink) => void;
}

/** A person: who it is, and what can be done about the way in. */
export function UserDetail({ user, onLink }: Props) {
  const t = userWords.use();
  const [before, setBefore] = useState(() => formOf(user));
  const form = useForm({ initialValues: before, validate: faultsOf });
  const { isBusy, formRef, save } = useSave(form, fieldOf);
  const submit = async (): Promise<void> => {
    const body = changeOf(form.getValues(), before);
    if (Object.keys(body).length === 0) return;
    const params = { path: { id: user.id } };
    const change = () => confirmed(() => api.patch('/api/v1/admin/users/{id}', { params, body }));
    const saved = await save(() => atTheirFields(form, formRef, change), t('saved'));
    if (!saved) return;
    setBefore(formOf(saved));
    form.setInitialValues(formOf(saved));
    form.reset();
    void queryClient.invalidateQueries({ queryKey: usersQuery.queryKey });
  };
  return (
    <>
      <DetailHead name={user.name}>
        {user.disabled && <Mark tone="bad" text={t('disabled')} />}
        {user.second_factor && <Mark tone="good" text={t('secondFactor')} />}
      </DetailHead>
      <Stack gap="md" maw={560}>
        <form
          noValidate
          ref={formRef}
          onSubmit={form.onSubmit(
            () => void submit(),
            () => focusFirstError(formRef.current),
          )}
        >
          <UserFields form={form} />
          {form.getValues().role !== before.role && (
            <Alert color="yellow" mt="sm">
              {t('roleEnds')}
            </Alert>
          )}
          <SaveBar isDirty={form.isDirty()} isBusy={isBusy} onDiscard={form.reset} />
        </form>
        <UserActions user={user} onLink={onLink} />
      </Stack>
      <LeaveGuard isDirty={() => form.isDirty()} />
    </>
  );
}
