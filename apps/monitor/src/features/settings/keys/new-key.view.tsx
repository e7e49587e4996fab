import { Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { api } from '../../../shared/api/page-api';
import { confirmed } from '../../../shared/ui/confirmation.store';
import { DetailHead } from '../parts/lists/detail-head.view';
import { LeaveGuard } from '../parts/forms/leave-guard.view';
import { SaveBar } from '../parts/forms/save-bar.view';
import { focusFirstError, useSave } from '../parts/forms/save.hook';
import { faultsOf, fieldOf, issueOf, NEW_KEY } from './key-form.format';
import { KeyFields } from './key-form.view';
import { keyWords } from './key.words';

/** The form of a new key. @param onIssued is told the key itself, which the server tells once */
export function NewKey({ onIssued }: { onIssued: (issued: { id: string; key: string }) => void }) {
  const t = keyWords.use();
  const form = useForm({ initialValues: NEW_KEY, validate: (values) => faultsOf(values, NEW_KEY) });
  const { isBusy, formRef, save } = useSave(form, fieldOf);
  const submit = async (): Promise<void> => {
    const body = issueOf(form.getValues());
    const issued = await save(
      () => confirmed(() => api.post('/api/v1/admin/api-keys', { body })),
      t('issued'),
    );
    if (issued) onIssued(issued);
  };
  return (
    <>
      <DetailHead name={t('issue')} />
      <form
        noValidate
        ref={formRef}
        onSubmit={form.onSubmit(
          () => void submit(),
          () => focusFirstError(formRef.current),
        )}
      >
        <Stack gap={0} maw={560}>
          <KeyFields form={form} isLocked={false} />
          <SaveBar isDirty={false} isBusy={isBusy} label={t('issue')} />
        </Stack>
      </form>
      <LeaveGuard isDirty={() => form.isDirty()} />
    </>
  );
}
