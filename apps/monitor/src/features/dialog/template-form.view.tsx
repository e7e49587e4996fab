import type { TemplateAnswer } from '@app/client/api.types';
import { Button, Group, TextInput } from '@mantine/core';
import type { Card } from '@app/contracts/board.events';
import { useState, type FormEvent } from 'react';
import { CustomerText } from '../../shared/ui/customer-text.view';
import { explain } from '../../shared/words/error.words';
import { composerWords } from './composer.words';
import { sendTemplate } from './template.call';
import { templateFields, type TemplateField, type TemplateValues } from './template.fields';
import classes from './template.module.css';
import { TemplatePreview } from './template-preview.view';
import { ApiError } from '@app/client/api.error';

interface Props {
  card: Card;
  template: TemplateAnswer;
  onBack: () => void;
  onSent: () => void;
}

/** The values of a template, what the customer will see, and sending it. */
export function TemplateForm({ card, template, onBack, onSent }: Props) {
  const t = composerWords.use();
  const [values, setValues] = useState<TemplateValues>({});
  const [isAsked, setAsked] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const fields = templateFields(template);
  const missing = new Set(fields.filter(({ id }) => !values[id]?.trim()).map(({ id }) => id));
  const needsPlace = template.header?.format === 'location';

  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    setAsked(true);
    const [first] = missing;
    if (first !== undefined) {
      event.currentTarget.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus();
      return;
    }
    setBusy(true);
    setError(null);
    try {
      await sendTemplate(card, template, values);
      onSent();
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };

  return (
    <form onSubmit={submit} className={classes.form} noValidate>
      <div className={classes.fields}>
        {fields.map((field) => (
          <TextInput
            key={field.id}
            name={field.id}
            size="sm"
            dir="auto"
            label={labelOf(t, field)}
            required
            withAsterisk={false}
            data-autofocus={field === fields[0] || undefined}
            value={values[field.id] ?? ''}
            error={isAsked && missing.has(field.id) ? t('required') : undefined}
            onChange={(event) => setValues({ ...values, [field.id]: event.currentTarget.value })}
          />
        ))}
      </div>
      <TemplatePreview template={template} values={values} />
      {needsPlace && <p className={classes.fault}>{t('needsPlace')}</p>}
      {error !== null && (
        <div className={classes.fault} role="alert">
          <CustomerText text={faultOf(t, error)} component="span" />
        </div>
      )}
      <Group justify="space-between" gap="xs">
        <Button variant="default" size="sm" onClick={onBack}>
          {t('back')}
        </Button>
        <Button type="submit" size="sm" loading={isBusy} disabled={needsPlace || card.phone === null}>
          {t('sendTemplate')}
        </Button>
      </Group>
    </form>
  );
}

function labelOf(t: typeof composerWords.say, { kind, name }: TemplateField): string {
  switch (kind) {
    case 'body':
      return t('valueOf', { name: `{{${name}}}` });
    case 'headerText':
      return t('headerValue');
    case 'headerLink':
      return t('headerLink');
    case 'buttonUrl':
      return t('buttonValue', { button: name });
    case 'buttonCode':
      return t('codeValue', { button: name });
  }
}

function faultOf(t: typeof composerWords.say, error: unknown): string {
  if (!(error instanceof ApiError)) return explain(error);
  if (error.code === 'NETWORK' || error.code === 'NOT_JSON') return t('templateLost');
  return error.code === 'PROVIDER_ERROR' || error.code === 'VALIDATION_ERROR'
    ? `${explain(error)} ${error.message === explain(error) ? '' : error.message}`.trim()
    : explain(error);
}
