import type { WebhookEndpointAnswer } from '@app/client/api-types';
import { Stack } from '@mantine/core';
import { api } from '../../../shared/api/page-api';
import { confirmed } from '../../../shared/ui/confirmation.store';
import { useEntryForm } from '../parts/forms/entry-form.hook';
import { LeaveGuard } from '../parts/forms/leave-guard.view';
import { SaveBar } from '../parts/forms/save-bar.view';
import { focusFirstError } from '../parts/forms/save.hook';
import { EndpointActions } from './endpoint-actions.view';
import { EndpointFields } from './endpoint-fields.view';
import { changeOf, fieldOf, formOf, RULES } from './endpoint-form.format';
import { endpointWords } from './endpoint.words';
import { refreshEndpoint } from './endpoints.query';

/** What an endpoint takes, its secret, and its end. */
export function EndpointSettings({ endpoint }: { endpoint: WebhookEndpointAnswer }) {
  const t = endpointWords.use();
  const { form, settle, isBusy, formRef, save } = useEntryForm({
    ...{ values: formOf(endpoint), validate: RULES, toField: fieldOf },
  });
  const submit = async (): Promise<void> => {
    // By what the form began with: what somebody else has changed since stays.
    const body = changeOf(form.getValues(), form.getInitialValues());
    if (Object.keys(body).length === 0) return;
    const params = { path: { id: endpoint.id } };
    const saved = await save(
      () => confirmed(() => api.patch('/api/v1/admin/webhook-endpoints/{id}', { params, body })),
      t('saved'),
    );
    if (!saved) return;
    settle(formOf(saved));
    void refreshEndpoint(endpoint.id);
  };
  return (
    <>
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
          <SaveBar isDirty={form.isDirty()} isBusy={isBusy} onDiscard={form.reset}>
            <EndpointActions endpoint={endpoint} />
          </SaveBar>
        </Stack>
      </form>
      <LeaveGuard isDirty={() => form.isDirty()} />
    </>
  );
}
