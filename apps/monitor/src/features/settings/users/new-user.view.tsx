import type { InvitedUserAnswer } from '@app/client/api-types';
import { Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { api } from '../../../shared/api/page-api';
import { confirmed } from '../../../shared/ui/confirmation.store';
import { presentLanguage } from '../../../shared/words/language.store';
import { DetailHead } from '../parts/lists/detail-head.view';
import { LeaveGuard } from '../parts/forms/leave-guard.view';
import { SaveBar } from '../parts/forms/save-bar.view';
import { focusFirstError, useSave } from '../parts/forms/save.hook';
import { bodyOf, faultsOf, fieldOf, newUserForm } from './user-form.format';
import { UserFields } from './user-fields.view';
import { atTheirFields } from './user-faults';
import { userWords } from './user.words';

/** The form of a person who is not there yet. */
export function NewUser({ onInvited }: { onInvited: (invited: InvitedUserAnswer) => void }) {
  const t = userWords.use();
  const form = useForm({ initialValues: newUserForm(presentLanguage()), validate: faultsOf });
  const { isBusy, formRef, save } = useSave(form, fieldOf);
  const submit = async (): Promise<void> => {
    const body = bodyOf(form.getValues());
    const invited = await save(
      () => atTheirFields(form, formRef, () => confirmed(() => api.post('/api/v1/admin/users', { body }))),
      t('invited'),
    );
    if (invited) onInvited(invited);
  };
  return (
    <>
      <DetailHead name={t('inviteTitle')} />
      <form
        noValidate
        ref={formRef}
        onSubmit={form.onSubmit(
          () => void submit(),
          () => focusFirstError(formRef.current),
        )}
      >
        <Stack gap={0} maw={560}>
          <UserFields form={form} />
          <SaveBar isDirty={false} isBusy={isBusy} label={t('invite')} />
        </Stack>
      </form>
      <LeaveGuard isDirty={() => form.isDirty()} />
    </>
  );
}
