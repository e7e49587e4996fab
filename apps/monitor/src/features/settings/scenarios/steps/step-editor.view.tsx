import { ActionIcon, Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useRef, useState } from 'react';
import { passFocus } from '../../../../shared/ui/focus.hook';
import { IconChevronDown, IconChevronUp, IconPlus, IconTrash } from '../../../../shared/ui/icons.view';
import { CustomerText } from '../../../../shared/ui/customer-text.view';
import { FieldError } from '../../parts/forms/fields.view';
import { SortableRow, moved } from '../../parts/lists/sortable-row.view';
import { settingsWords } from '../../settings.words';
import type { ScenarioValues } from '../scenario-values.format';
import { newStep, STEP_KINDS, type StepKind } from './step-draft.format';
import { stepEditorWords } from './step-editor.words';
import { StepFields } from './step-fields.view';
import { stepRemarks, stepSentence, type StepNames } from './step-sentence.format';
import { stepKindWords } from '../../../../shared/words/step-kind.words';
import classes from './step-editor.module.css';

type ScenarioForm = UseFormReturnType<ScenarioValues>;

/** The steps in which a field is wrong, by their ids in the form. */
function wrongSteps({ errors, values }: ScenarioForm): ReadonlySet<string> {
  const paths = Object.keys(errors);
  const wrong = values.steps.filter((_, index) => paths.some((path) => path.startsWith(`steps.${index}.`)));
  return new Set(wrong.map(({ uid }) => uid));
}

interface OpenSteps {
  isOpen: (uid: string) => boolean;
  /** It is the only one then, beside those that are wrong. */
  open: (uid: string) => void;
  shut: (uid: string) => void;
}

/** Which steps of a scenario stand open. One opens when a fault is found in it, and does not shut while that is mended. */
function useOpenSteps(form: ScenarioForm): OpenSteps {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const [seen, setSeen] = useState(form.errors);
  const wrong = wrongSteps(form);
  if (form.errors !== seen) {
    setSeen(form.errors);
    if (wrong.size > 0) setOpened(new Set([...opened, ...wrong]));
  }
  return {
    isOpen: (uid) => opened.has(uid),
    open: (uid) => setOpened(new Set([uid, ...wrong])),
    shut: (uid) => setOpened(new Set([...opened].filter((one) => one !== uid))),
  };
}

interface Props {
  form: UseFormReturnType<ScenarioValues>;
  names: StepNames;
}

/** The steps of a scenario as sentences, each of which opens to be changed; dragged, or moved by buttons. */
export function StepEditor({ form, names }: Props) {
  const t = stepEditorWords.use();
  const kinds = stepKindWords.use();
  const common = settingsWords.use();
  const { isOpen: isStepOpen, open, shut } = useOpenSteps(form);
  const list = useRef<HTMLOListElement>(null);
  const adding = useRef<HTMLButtonElement>(null);
  const [kind, setKind] = useState<StepKind>('send_template');
  const [said, setSaid] = useState('');
  const { steps } = form.values;
  const wrong = wrongSteps(form);

  const move = (from: number, to: number): void => {
    form.clearErrors();
    form.setFieldValue('steps', moved(steps, from, to));
    setSaid(common('movedTo', { name: t('step', { number: from + 1 }), place: to + 1, count: steps.length }));
  };
  const add = (): void => {
    const step = newStep(kind);
    form.insertListItem('steps', step);
    form.clearFieldError('steps');
    open(step.uid);
    requestAnimationFrame(() =>
      list.current
        ?.querySelector<HTMLElement>(
          'li:last-child [role=group] :is(input, textarea, select):not([type=hidden])',
        )
        ?.focus(),
    );
  };
  const remove = (index: number): void => {
    form.clearErrors();
    form.removeListItem('steps', index);
    // That of the step in its place, or of the one that is the last now.
    passFocus(() => {
      const buttons = list.current?.querySelectorAll<HTMLElement>('button[aria-expanded]') ?? [];
      return buttons[Math.min(index, buttons.length - 1)] ?? adding.current;
    });
  };

  return (
    <Stack gap="sm">
      {steps.length === 0 && <Text size="sm">{t('noSteps')}</Text>}
      <ol ref={list} className={classes.steps}>
        {steps.map((step, index) => {
          const isWrong = wrong.has(step.uid);
          const isOpen = isStepOpen(step.uid);
          const number = index + 1;
          return (
            <SortableRow
              key={step.uid}
              list="steps"
              index={index}
              count={steps.length}
              name={t('step', { number })}
              canMove
              onMove={move}
              mark={isWrong ? 'wrong' : isOpen ? 'open' : undefined}
            >
              <Group gap={4} wrap="nowrap" align="flex-start">
                <Text size="sm" className={classes.sentence}>
                  <b>{`${number}. `}</b>
                  <CustomerText text={stepSentence(step, names)} />{' '}
                  <Text span size="xs" c="dimmed">
                    {stepRemarks(step)}
                  </Text>
                </Text>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={isOpen ? t('close', { number }) : t('change', { number })}
                  aria-expanded={isOpen}
                  onClick={() => (isOpen ? shut(step.uid) : open(step.uid))}
                >
                  {isOpen ? (
                    <IconChevronUp size={16} aria-hidden />
                  ) : (
                    <IconChevronDown size={16} aria-hidden />
                  )}
                </ActionIcon>
                <ActionIcon
                  variant="subtle"
                  color="red"
                  aria-label={t('remove', { number })}
                  onClick={() => remove(index)}
                >
                  <IconTrash size={16} aria-hidden />
                </ActionIcon>
              </Group>
              {isOpen && (
                <Stack gap="sm" mt="xs" role="group" aria-label={t('step', { number })}>
                  <StepFields form={form} at={`steps.${index}`} index={index} step={step} names={names} />
                  <details>
                    <summary>{t('further')}</summary>
                    <Stack gap="sm" mt="xs">
                      <TextInput
                        label={t('label')}
                        description={t('labelHint')}
                        {...form.getInputProps(`steps.${index}.label`)}
                      />
                      <NativeSelect
                        label={t('onFailure')}
                        data={(['stop', 'continue'] as const).map((value) => ({
                          value,
                          label: t(`failure_${value}`),
                        }))}
                        {...form.getInputProps(`steps.${index}.on_failure`)}
                      />
                    </Stack>
                  </details>
                </Stack>
              )}
            </SortableRow>
          );
        })}
      </ol>
      <p className="ll-hidden" aria-live="polite">
        {said}
      </p>
      <FieldError error={form.errors.steps} />
      <Group gap="xs" align="flex-end">
        <NativeSelect
          label={t('kindToAdd')}
          data={STEP_KINDS.map((value) => ({ value, label: kinds(`kind_${value}`) }))}
          value={kind}
          onChange={(event) => setKind(event.currentTarget.value as StepKind)}
        />
        <Button
          ref={adding}
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          disabled={steps.length >= 50}
          onClick={add}
        >
          {t('add')}
        </Button>
      </Group>
    </Stack>
  );
}
