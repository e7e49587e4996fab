import { Button, Checkbox, Fieldset, Group, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core';
import { isolated } from '../../../../shared/format/direction.format';
import { InputRow, FieldError, SpanInput } from '../../parts/forms/fields.view';
import { weekdayName } from '../../parts/forms/span.format';
import { FACT_VALUES, type StepDraft } from './step-draft.format';
import { stepEditorWords } from './step-editor.words';
import { HttpFields } from './step-http.view';
import { factSentence, stepSentence } from './step-sentence.format';
import { TemplateFields } from './step-template.view';
import { Variables, type StepFieldsProps } from './step-field.view';

const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7];

/** The fields of a step's kind. */
export function StepFields(props: StepFieldsProps) {
  const t = stepEditorWords.use();
  const { form, at, step, names } = props;
  const field = (name: keyof StepDraft) => form.getInputProps(`${at}.${name}`);
  switch (step.kind) {
    case 'send_template':
      return <TemplateFields {...props} />;
    case 'send_text':
    case 'request_phone':
      return (
        <>
          <Textarea
            label={t('text')}
            description={t('textHint')}
            required
            autosize
            minRows={2}
            dir="auto"
            {...field('text')}
          />
          <Variables />
          <SpanInput label={t('maxLate')} description={t('maxLateHint')} {...field('max_late_seconds')} />
        </>
      );
    case 'wait':
      return <SpanInput label={t('wait')} description={t('waitHint')} required {...field('seconds')} />;
    case 'wait_until':
      return (
        <>
          <TextInput label={t('time')} type="time" required {...field('time')} />
          <TextInput label={t('zone')} required {...field('timezone')} />
          <Checkbox.Group label={t('days')} description={t('daysHint')} {...field('weekdays')}>
            <Group gap="sm" mt={4}>
              {WEEKDAYS.map((day) => (
                <Checkbox key={day} value={String(day)} label={weekdayName(day)} />
              ))}
            </Group>
          </Checkbox.Group>
          <SpanInput label={t('atLeast')} {...field('at_least_seconds')} />
        </>
      );
    case 'wait_for_reply':
      return (
        <>
          <SpanInput label={t('replyWithin')} description={t('waitHint')} required {...field('seconds')} />
          <GoesOn {...props} name="on_timeout" label={t('onTimeout')} />
        </>
      );
    case 'condition':
      return (
        <>
          <Facts {...props} />
          <GoesOn {...props} name="else" label={t('else')} />
        </>
      );
    case 'set_status':
      return (
        <NativeSelect
          label={t('toStage')}
          data={[
            { value: '', label: t('noStage') },
            ...[...names.stages].map(([value, label]) => ({ value, label })),
          ]}
          {...field('status_id')}
        />
      );
    case 'hand_over':
      return (
        <>
          <Textarea label={t('note')} autosize dir="auto" {...field('note')} />
          <Variables />
        </>
      );
    case 'assign':
      return (
        <NativeSelect
          label={t('toPerson')}
          data={[
            { value: '', label: t('nobody') },
            ...[...names.people].map(([value, label]) => ({ value, label })),
          ]}
          {...field('user_id')}
        />
      );
    case 'notify':
      return (
        <>
          <Textarea label={t('ask')} required autosize dir="auto" {...field('text')} />
          <Variables />
        </>
      );
    case 'http':
      return <HttpFields {...props} />;
    case 'set_ai':
    case 'return_to_ai':
      return null;
  }
}

interface GoesOnProps extends StepFieldsProps {
  name: 'on_timeout' | 'else';
  label: string;
}

/** Where the run goes on: one of the steps further down, which gets a label by being chosen. */
function GoesOn({ form, at, index, step, names, name, label }: GoesOnProps) {
  const t = stepEditorWords.use();
  const { value, onChange: _, ...props } = form.getInputProps(`${at}.${name}`);
  const chosen = String(value);
  const { steps } = form.values;
  const below = steps.slice(index + 1).map((other, place) => ({ other, number: index + 2 + place }));
  const isGone = chosen.startsWith('go:') && !below.some(({ other }) => `go:${other.label}` === chosen);
  const choose = (next: string): void => {
    const target = below.find(({ other }) => other.uid === next);
    if (!target) {
      form.setFieldValue(`${at}.${name}`, next);
      return;
    }
    const taken = new Set(steps.map((each) => each.label));
    let given = target.other.label.trim();
    for (let number = target.number; given === ''; number += 1)
      if (!taken.has(`step-${number}`)) given = `step-${number}`;
    form.setFieldValue(`steps.${target.number - 1}.label`, given);
    form.setFieldValue(`${at}.${name}`, `go:${given}`);
  };
  return (
    <NativeSelect
      label={label}
      {...props}
      value={below.find(({ other }) => `go:${other.label}` === chosen)?.other.uid ?? chosen}
      onChange={(event) => choose(event.currentTarget.value)}
      data={[
        ...(step.kind === 'wait_for_reply' ? [{ value: 'continue', label: t('timeout_continue') }] : []),
        { value: 'stop', label: t(name === 'else' ? 'else_stop' : 'timeout_stop') },
        ...below.map(({ other, number }) => ({
          value: other.uid,
          label: t('goTo', { number, sentence: stepSentence(other, names) }),
        })),
        ...(isGone ? [{ value: chosen, label: t('goGone', { label: isolated(chosen.slice(3)) }) }] : []),
      ]}
    />
  );
}

/** What a condition asks, each fact with its value as a sentence. */
function Facts({ form, at, step }: StepFieldsProps) {
  const t = stepEditorWords.use();
  const choices = Object.entries(FACT_VALUES).flatMap(([fact, values]) =>
    values.map((is) => ({ fact: fact as keyof typeof FACT_VALUES, is })),
  );
  return (
    <Fieldset legend={t('facts')}>
      <Stack gap="xs">
        {step.all.map((asked, index) => (
          <InputRow
            // Facts are known by their place alone.
            key={index}
            removeLabel={t('removeFact', { number: index + 1 })}
            onRemove={() => step.all.length > 1 && form.removeListItem(`${at}.all`, index)}
          >
            <NativeSelect
              label={t('fact', { number: index + 1 })}
              data={choices.map((choice) => ({
                value: `${choice.fact} ${choice.is}`,
                label: factSentence(choice),
              }))}
              value={`${asked.fact} ${asked.is}`}
              onChange={(event) => {
                const [fact = 'replied', is = 'true'] = event.currentTarget.value.split(' ');
                form.setFieldValue(`${at}.all.${index}`, { fact: fact as typeof asked.fact, is });
              }}
              error={form.errors[`${at}.all.${index}.is`] ?? form.errors[`${at}.all.${index}`]}
            />
          </InputRow>
        ))}
        <FieldError error={form.errors[`${at}.all`]} />
        <Button
          variant="default"
          size="compact-sm"
          onClick={() => form.insertListItem(`${at}.all`, { fact: 'window_open', is: 'true' })}
        >
          {t('addFact')}
        </Button>
      </Stack>
    </Fieldset>
  );
}
