import type { NewWebhookEndpointAnswer } from '@app/client/api-types';
import { Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { api } from '../../../shared/api/page-api';
import { confirmed } from '../../../shared/ui/confirmation.store';
import { DetailHead } from '../parts/lists/detail-head.view';
import { LeaveGuard } from '../parts/forms/leave-guard.view';
import { SaveBar } from '../parts/forms/save-bar.view';
import { focusFirstError, useSave } from '../parts/forms/save.hook';
import { EndpointFields } from './endpoint-fields.view';
import { fieldOf, NEW_ENDPOINT, newOf, RULES } from './endpoint-form.format';
import { endpointWords } from './endpoint.words';

/** The form of a new endpoint. @param onMade is told its secret, which the server tells once */
export function NewEndpoint({ onMade }: { onMade: (made: NewWebhookEndpointAnswer) => void }) {
  const t = endpointWords.use();
  const form = useForm({ initialValues: NEW_ENDPOINT, validate: RULES });
  const { isBusy, formRef, save } = useSave(form, fieldOf);
  const submit = async (): Promise<void> => {
    const body = newOf(form.getValues());
    const made = await save(
      () => confirmed(() => api.post('/api/v1/admin/webhook-endpoints', { body })),
      t('made'),
    );
    if (made) onMade(made);
  };
  return (
    <>
      <DetailHead name={t('new')} />
      <form
        noValidate
        ref={formRef}
        onSubmit={form.onSubmit(
          () => void submit(),
          () => focusFirstError(formRef.current),
        )}
      >
        <Stack gap={0} maw={640}>
          <EndpointFields form={form} />
          <SaveBar isDirty={false} isBusy={isBusy} label={t('make')} />
        </Stack>
      </form>
      <LeaveGuard isDirty={() => form.isDirty()} />
    </>
  );
}
