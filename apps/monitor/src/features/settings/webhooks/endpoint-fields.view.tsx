import { ENDPOINT_LIMITS, WEBHOOK_EVENTS } from '@app/contracts/webhook.words';
import { Checkbox, Fieldset, NumberInput, Radio, Stack, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { wholeNumber } from '../../../shared/format/number.format';
import { useSignedIn } from '../../../shared/session/session.store';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import type { EndpointForm } from './endpoint-form.format';
import { endpointWords } from './endpoint.words';
import { eventInWords, webhookEventWords } from './webhook-event.words';
import classes from './webhooks.module.css';

const { descriptionLengthMax, perSecondMax } = ENDPOINT_LIMITS;

/** Where events go, and which. */
export function EndpointFields({ form }: { form: UseFormReturnType<EndpointForm> }) {
  const t = endpointWords.use();
  webhookEventWords.use();
  const { assistants } = useSignedIn();
  return (
    <Fieldset legend={t('form')}>
      <Stack gap="md">
        <TextInput
          type="url"
          label={t('url')}
          description={t('urlHint')}
          required
          {...form.getInputProps('url')}
        />
        <TextInput
          label={t('description')}
          description={t('descriptionHint')}
          maxLength={descriptionLengthMax}
          {...form.getInputProps('description')}
        />
        <Radio.Group label={t('takes')} {...form.getInputProps('takes')}>
          <Stack gap="xs" mt={4}>
            <Radio value="all" label={t('takesAll')} />
            <Radio value="some" label={t('takesSome')} />
          </Stack>
        </Radio.Group>
        {form.getValues().takes === 'some' && (
          <Checkbox.Group label={t('events')} required {...form.getInputProps('events')}>
            <div className={classes.events}>
              {WEBHOOK_EVENTS.map((type) => (
                <Checkbox
                  key={type}
                  value={type}
                  label={eventInWords(type)}
                  description={<bdi dir="ltr">{type}</bdi>}
                />
              ))}
            </div>
          </Checkbox.Group>
        )}
        {assistants.length > 0 && (
          <Checkbox.Group
            label={t('agents')}
            description={t('agentsHint')}
            {...form.getInputProps('assistantIds')}
          >
            <Stack gap="xs" mt={4}>
              {assistants.map(({ id, name }) => (
                <Checkbox key={id} value={id} label={<CustomerText text={name} />} />
              ))}
            </Stack>
          </Checkbox.Group>
        )}
        <NumberInput
          label={t('pace')}
          description={t('paceHint', { most: wholeNumber(perSecondMax) })}
          {...{ min: 1, max: perSecondMax, allowDecimal: false, clampBehavior: 'none', hideControls: true }}
          {...form.getInputProps('pace')}
        />
      </Stack>
    </Fieldset>
  );
}
