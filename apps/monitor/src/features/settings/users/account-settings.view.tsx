import type { AccountAnswer, ChangeAccountRequest } from '@app/client/api-types';
import { TAKEOVER_ENDS } from '@app/contracts/lead.words';
import { COUNTRIES } from '@app/contracts/values/phone.words';
import {
  Alert,
  Checkbox,
  Fieldset,
  NumberInput,
  Select,
  Stack,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, queryClient } from '../../../shared/api/page-api';
import { fileSize, wholeNumber } from '../../../shared/format/number.format';
import { checkSession } from '../../../shared/session/session-calls';
import { useSignedIn } from '../../../shared/session/session.store';
import { ErrorState, LoadingState } from '../../../shared/ui/states.view';
import { changesOf } from '../parts/changes.format';
import { HoursEditor } from '../parts/forms/hours-editor.view';
import {
  hoursChecks,
  hoursDraftOf,
  hoursOf,
  toHoursField,
  type HoursDraft,
} from '../parts/forms/hours.format';
import { SaveBar, LeaveGuard } from '../parts/forms/save-bar.view';
import { focusFirstError, useSave } from '../parts/forms/save.hook';
import { Ask } from '../../../shared/ui/ask.view';
import { presentLanguage } from '../../../shared/words/language.store';
import { DetailHead } from '../parts/lists/list-detail.view';
import { accountQuery } from './users.query';
import { userWords } from './user.words';

/** What an admin may change of the own account. */
export function AccountSettings() {
  const t = userWords.use();
  const { account } = useSignedIn();
  const read = useQuery(accountQuery(account.id));
  return (
    <>
      <DetailHead name={t('accountSettings')} />
      {read.isPending ? (
        <LoadingState />
      ) : read.isError ? (
        <ErrorState error={read.error} onRetry={() => void read.refetch()} />
      ) : (
        <AccountForm account={read.data} />
      )}
    </>
  );
}

/** All countries by their names in the language of the page. */
function countryChoices(): { value: string; label: string }[] {
  const names = new Intl.DisplayNames(presentLanguage(), { type: 'region' });
  return COUNTRIES.map((value) => ({ value, label: names.of(value) ?? value })).sort((one, other) =>
    one.label.localeCompare(other.label, presentLanguage()),
  );
}

/** Those that the browser knows, and the present one, which may have a name of another time. */
const zoneChoices = (present: string): string[] => [
  ...new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), present]),
];

const OWN_WORDS = { maxTags: 50, acceptValueOnBlur: true, splitChars: [',', ';', '\n'] };

interface Form {
  name: string;
  automationPaused: boolean;
  secondFactorRequired: boolean;
  retentionDays: number | '';
  defaultCountry: string | null;
  timezone: string;
  hasHours: boolean;
  /** Those that are offered where there are none. */
  openingHours: HoursDraft;
  takeoverEnd: string;
  transcription: boolean;
  assignOnReply: boolean;
  optOutWords: string[];
  optInWords: string[];
}

const formOf = (account: AccountAnswer): Form => ({
  name: account.name,
  automationPaused: account.automation_paused,
  secondFactorRequired: account.second_factor_required,
  retentionDays: account.retention_days ?? '',
  defaultCountry: account.default_country,
  timezone: account.timezone,
  hasHours: account.opening_hours !== null,
  openingHours: hoursDraftOf(account.opening_hours),
  takeoverEnd: account.takeover_end,
  transcription: account.transcription,
  assignOnReply: account.assign_on_reply,
  optOutWords: account.opt_out_words,
  optInWords: account.opt_in_words,
});

const bodyOf = (form: Form): ChangeAccountRequest => ({
  name: form.name.trim(),
  automation_paused: form.automationPaused,
  second_factor_required: form.secondFactorRequired,
  retention_days: form.retentionDays === '' ? null : form.retentionDays,
  default_country: form.defaultCountry,
  timezone: form.timezone,
  opening_hours: form.hasHours ? hoursOf(form.openingHours) : null,
  takeover_end: form.takeoverEnd as ChangeAccountRequest['takeover_end'],
  transcription: form.transcription,
  assign_on_reply: form.assignOnReply,
  ...{ opt_out_words: form.optOutWords, opt_in_words: form.optInWords },
});

const FIELDS: Record<string, string> = {
  ...{ automation_paused: 'automationPaused', second_factor_required: 'secondFactorRequired' },
  ...{ retention_days: 'retentionDays', default_country: 'defaultCountry' },
  ...{
    takeover_end: 'takeoverEnd',
    assign_on_reply: 'assignOnReply',
    opt_out_words: 'optOutWords',
    opt_in_words: 'optInWords',
  },
};

/** Whether dialogs would be erased that have been kept until now. */
const erasesMore = (form: Form, before: Form): boolean =>
  form.retentionDays !== '' && (before.retentionDays === '' || form.retentionDays < before.retentionDays);

const CHECKS = {
  name: (name: string) => (name.trim() === '' ? userWords.say('nameNeeded') : null),
  retentionDays: (days: Form['retentionDays']) =>
    days === '' || (days >= 1 && days <= 36_500) ? null : userWords.say('retentionRange'),
  openingHours: hoursChecks<Form>(({ hasHours }) => hasHours),
};

const toField = (path: string): string =>
  FIELDS[path] ?? toHoursField(path.replace(/^opening_hours\b/, 'openingHours'), 'openingHours');

function AccountForm({ account }: { account: AccountAnswer }) {
  const t = userWords.use();
  const { user } = useSignedIn();
  const [before, setBefore] = useState(() => formOf(account));
  const [isAsked, setAsked] = useState(false);
  const form = useForm({ initialValues: before, validate: CHECKS });
  const { isBusy, formRef, save } = useSave(form, toField);
  const values = form.getValues();
  const submit = async (): Promise<void> => {
    setAsked(false);
    const body = changesOf<ChangeAccountRequest>(bodyOf(before), bodyOf(form.getValues()));
    if (Object.keys(body).length === 0) return;
    const params = { path: { id: account.id } };
    const saved = await save(
      () => api.patch('/api/v1/admin/accounts/{id}', { params, body }),
      t('accountSaved'),
    );
    if (!saved) return;
    setBefore(formOf(saved));
    form.setInitialValues(formOf(saved));
    form.reset();
    queryClient.setQueryData(accountQuery(account.id).queryKey, saved);
    // The name stands elsewhere on the page too.
    await checkSession().catch(() => undefined);
  };
  return (
    <Stack maw={560} gap="md">
      <form
        noValidate
        ref={formRef}
        onSubmit={form.onSubmit(
          (given) => (erasesMore(given, before) ? setAsked(true) : void submit()),
          () => focusFirstError(formRef.current),
        )}
      >
        <Stack gap="md">
          <TextInput label={t('accountName')} required maxLength={200} {...form.getInputProps('name')} />
          <Checkbox
            label={t('automation')}
            description={t('automationHint')}
            {...form.getInputProps('automationPaused', { type: 'checkbox' })}
          />
          <Checkbox
            label={t('demand')}
            description={t('demandHint')}
            {...form.getInputProps('secondFactorRequired', { type: 'checkbox' })}
          />
          {values.secondFactorRequired && !before.secondFactorRequired && !user.second_factor && (
            <Alert color="yellow">{t('demandOwn')}</Alert>
          )}
          <Select
            label={t('country')}
            description={t('countryHint')}
            searchable
            clearable
            // Two hundred and fifty of them are drawn only where they are asked for.
            comboboxProps={{ keepMounted: false }}
            nothingFoundMessage={t('countryNobody')}
            data={countryChoices()}
            {...form.getInputProps('defaultCountry')}
          />
          <Select
            label={t('timezone')}
            description={t('timezoneHint')}
            searchable
            allowDeselect={false}
            comboboxProps={{ keepMounted: false }}
            nothingFoundMessage={t('timezoneNobody')}
            data={zoneChoices(values.timezone)}
            {...form.getInputProps('timezone')}
          />
          <HoursEditor
            form={form}
            path="openingHours"
            hours={values.openingHours}
            label={t('openingHours')}
            description={t('openingHoursHint')}
            choices={{ none: t('openingHoursNone'), some: t('openingHoursSome') }}
            isSet={values.hasHours}
            onSet={(isSet) => form.setFieldValue('hasHours', isSet)}
          />
          <Select
            label={t('takeoverEnd')}
            description={t('takeoverEndHint')}
            allowDeselect={false}
            data={TAKEOVER_ENDS.map((value) => ({ value, label: t(`takeoverEnd_${value}`) }))}
            {...form.getInputProps('takeoverEnd')}
          />
          <Checkbox
            label={t('transcription')}
            description={t('transcriptionHint')}
            {...form.getInputProps('transcription', { type: 'checkbox' })}
          />
          <Checkbox
            label={t('assignOnReply')}
            description={t('assignOnReplyHint')}
            {...form.getInputProps('assignOnReply', { type: 'checkbox' })}
          />
          <TagsInput
            label={t('optOutWords')}
            description={t('optOutHint')}
            {...OWN_WORDS}
            {...form.getInputProps('optOutWords')}
          />
          <TagsInput
            label={t('optInWords')}
            description={t('optInHint')}
            {...OWN_WORDS}
            {...form.getInputProps('optInWords')}
          />
          <NumberInput
            label={t('retention')}
            description={t('retentionHint')}
            {...{ min: 1, max: 36_500, allowDecimal: false, clampBehavior: 'none', hideControls: true }}
            {...form.getInputProps('retentionDays')}
          />
          <Quotas account={account} />
        </Stack>
        <SaveBar isDirty={form.isDirty()} isBusy={isBusy} onDiscard={form.reset} />
      </form>
      <Ask
        isOpen={isAsked}
        {...{ title: t('retentionTitle'), text: t('retentionText'), action: t('retentionDo'), isBusy }}
        name={t('days', {
          count: Number(values.retentionDays),
          number: wholeNumber(Number(values.retentionDays)),
        })}
        isGrave
        onAnswer={() => void submit()}
        onClose={() => setAsked(false)}
      />
      <LeaveGuard isDirty={() => form.isDirty()} />
    </Stack>
  );
}

function Quotas({ account }: { account: AccountAnswer }) {
  const t = userWords.use();
  const line = (used: string, quota: string | null): string =>
    quota === null ? t('quotaNone', { used }) : t('quotaOf', { used, quota });
  const { monthly_message_quota: messages, media_quota_bytes: bytes } = account;
  return (
    <Fieldset legend={t('quotas')}>
      <Text size="xs" c="dimmed" mb={4}>
        {t('quotaHint')}
      </Text>
      <Text size="sm">
        {t('quotaMessages')}:{' '}
        {line(wholeNumber(account.quota_used), messages === null ? null : wholeNumber(messages))}
      </Text>
      <Text size="sm">
        {t('quotaFiles')}: {line(fileSize(account.media_used_bytes), bytes === null ? null : fileSize(bytes))}
      </Text>
    </Fieldset>
  );
}
