import type { ScenarioAnswer, StageSettingsAnswer } from '@app/client/api-types';
import { Fieldset, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../../shared/api/page-api';
import { tellDone } from '../../../shared/notices/notice.store';
import { changesOf } from '../parts/changes.format';
import { CountInput, SpanInput } from '../parts/forms/fields.view';
import { scenariosQuery } from '../parts/funnel.query';
import { HoursEditor } from '../parts/forms/hours-editor.view';
import { SaveBar, LeaveGuard } from '../parts/forms/save-bar.view';
import { focusFirstError, useEntryForm } from '../parts/forms/save.hook';
import { DetailHead } from '../parts/lists/list-detail.view';
import { NEW } from '../parts/settings-search.hook';
import { settingsWords } from '../settings.words';
import {
  newScenario,
  requestOfScenario,
  scenarioChecks,
  toScenarioField,
  valuesOfScenario,
  type ScenarioValues,
} from './scenario-values.format';
import { scenariosWords } from './scenarios.words';
import { StepEditor } from './steps/step-editor.view';
import type { StepNames } from './steps/step-sentence.format';

interface Props {
  assistantId: string;
  /** Null: a new one. */
  scenario: ScenarioAnswer | null;
  stages: StageSettingsAnswer[];
  /** Of a new one. */
  stageId: string;
  names: StepNames;
  /** @param secret of a new one, shown nowhere again */
  onSaved: (id: string, secret: string | null) => void;
  onDiscard: () => void;
}

const STATES = ['on', 'paused', 'off'] as const;

/** A scenario, to be made or changed. */
export function ScenarioForm({ assistantId, scenario, stages, stageId, names, onSaved, onDiscard }: Props) {
  const t = scenariosWords.use();
  const common = settingsWords.use();
  const queries = useQueryClient();
  const { form, settle, save, isBusy, formRef } = useEntryForm<ScenarioValues>({
    values: scenario ? valuesOfScenario(scenario) : newScenario(stageId),
    validate: scenarioChecks,
    toField: toScenarioField,
    // Steps are known in the form by ids of its own.
    known: scenario ? JSON.stringify(scenario) : NEW,
  });

  const make = async (values: ScenarioValues): Promise<void> => {
    const body = { ...requestOfScenario(values), status_id: values.status_id };
    const made = await save(() => api.post('/api/v1/admin/scenarios', { body }), t('made'));
    if (!made) return;
    await queries.invalidateQueries(scenariosQuery(assistantId));
    onSaved(made.id, made.steps.some(({ kind }) => kind === 'http') ? made.signing_secret : null);
  };
  const amend = async (id: string, values: ScenarioValues): Promise<void> => {
    const changes = changesOf(requestOfScenario(form.getInitialValues()), requestOfScenario(values));
    if (Object.keys(changes).length === 0 && values.running === 'keep') {
      tellDone(common('nothingChanged'));
      return;
    }
    const body = { ...changes, ...(values.running === 'cancel' && { running: values.running }) };
    const changed = await save(() =>
      api.patch('/api/v1/admin/scenarios/{id}', { params: { path: { id } }, body }),
    );
    if (!changed) return;
    settle(valuesOfScenario(changed));
    await queries.invalidateQueries(scenariosQuery(assistantId));
    onSaved(id, null);
  };
  const choice = <Value extends string>(
    label: string,
    field: 'state' | 'on_leave' | 'on_reply' | 'on_takeover' | 'reentry' | 'running',
    values: readonly Value[],
    word: (value: Value) => string,
  ) => (
    <NativeSelect
      label={label}
      data={values.map((value) => ({ value, label: word(value) }))}
      {...form.getInputProps(field)}
    />
  );

  return (
    <form
      ref={formRef}
      noValidate
      onSubmit={form.onSubmit(
        (values) => (scenario ? amend(scenario.id, values) : make(values)),
        () => focusFirstError(formRef.current),
      )}
    >
      <LeaveGuard isDirty={() => form.isDirty()} />
      <Stack gap="md" maw={760}>
        <DetailHead name={t(scenario ? 'editing' : 'newTitle')} />
        <TextInput label={t('name')} required {...form.getInputProps('name')} />
        {scenario ? null : (
          <NativeSelect
            label={t('stage')}
            description={t('stageHint')}
            data={stages.map(({ id, name }) => ({ value: id, label: name }))}
            {...form.getInputProps('status_id')}
          />
        )}
        {choice(
          t('state'),
          'state',
          STATES,
          (state) => `${t(`state_${state}`)} — ${t(`stateHint_${state}`)}`,
        )}
        {!scenario && form.values.state === 'off' && (
          <Text size="sm" c="dimmed">
            {t('tryFirst')}
          </Text>
        )}
        <Fieldset legend={t('steps')}>
          <StepEditor form={form} names={names} />
        </Fieldset>
        <Fieldset legend={t('settings')}>
          <Stack gap="sm">
            {choice(t('onLeave'), 'on_leave', ['cancel', 'continue'], (value) => t(`onLeave_${value}`))}
            {choice(t('onReply'), 'on_reply', ['continue', 'cancel'], (value) => t(`onReply_${value}`))}
            {choice(t('onTakeover'), 'on_takeover', ['wait', 'continue', 'cancel'], (value) =>
              t(`onTakeover_${value}`),
            )}
            {choice(t('reentry'), 'reentry', ['restart', 'ignore', 'once'], (value) => t(`reentry_${value}`))}
            <SpanInput
              label={t('cooldown')}
              description={t('cooldownHint')}
              {...form.getInputProps('cooldown_seconds')}
            />
            <CountInput label={t('order')} description={t('orderHint')} {...form.getInputProps('order')} />
            {scenario &&
              choice(t('running'), 'running', ['keep', 'cancel'], (value) => t(`running_${value}`))}
          </Stack>
        </Fieldset>
        <HoursEditor
          form={form}
          path="send_hours"
          hours={form.values.send_hours}
          label={t('hours')}
          choices={{ none: t('hoursAlways'), some: t('hoursSome') }}
          isSet={form.values.has_hours}
          onSet={(isSet) => form.setFieldValue('has_hours', isSet)}
        >
          <TextInput
            label={t('zone')}
            description={t('zoneHint')}
            required
            {...form.getInputProps('send_hours.timezone')}
          />
        </HoursEditor>
      </Stack>
      <SaveBar
        isDirty={form.isDirty()}
        isBusy={isBusy}
        label={scenario ? undefined : t('make')}
        onDiscard={scenario ? () => form.reset() : onDiscard}
      />
    </form>
  );
}
