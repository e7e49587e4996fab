import { ApiError } from '@app/client/api.errors';
import type { TemplateAnswer, RecipientRequest } from '@app/client/api-types';
import { newRequestId } from '@app/client/api-calls';
import { Button, Group, TextInput } from '@mantine/core';
import type { Card } from '@app/contracts/board-events';
import { useState, type FormEvent } from 'react';
import { api } from '../../../shared/api/page-api';
import { isolated } from '../../../shared/format/direction.format';
import { channelOf } from '../../../shared/leads/channel.format';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import { explain } from '../../../shared/words/error.words';
import { filledIn, labelOf, recipientOf, slotsOf } from '../../../shared/template/slot.rules';
import { TemplatePreview } from '../../../shared/template/template-preview.view';
import { templatePartWords } from '../../../shared/template/template-part.words';
import { faultOfValue, wordsOfFault } from '../../../shared/template/value-check';
import { composerWords } from './composer.words';
import classes from './template.module.css';

/** Of sends whose answer was lost, by what was sent: the same send again goes out once. */
const lost = new Map<string, string>();
const LOST: ReadonlySet<string> = new Set([
  'NETWORK',
  'NOT_JSON',
  'INTERNAL_ERROR',
  'UNAVAILABLE',
  'IDEMPOTENCY_IN_PROGRESS',
]);

/** Sends a template to the customer of a dialog. Trying again after a lost answer sends nothing twice. */
async function sendTemplate(card: Card, template: TemplateAnswer, to: RecipientRequest): Promise<void> {
  const body = {
    ...{ bot_id: card.bot_id, channel: channelOf(card), template_id: template.template_id },
    template_language: template.language,
    to,
  };
  const sent = JSON.stringify([card.thread_id, body]);
  const key = lost.get(sent) ?? newRequestId();
  lost.set(sent, key);
  try {
    await api.post('/api/v1/messages/send-template', {
      params: { header: { 'Idempotency-Key': key } },
      body,
    });
    lost.delete(sent);
  } catch (error) {
    if (!(error instanceof ApiError && LOST.has(error.code))) lost.delete(sent);
    throw error;
  }
}

interface Props {
  card: Card;
  template: TemplateAnswer;
  onBack: () => void;
  onSent: () => void;
}

/** The values of a template, what the customer will see, and sending it. */
export function TemplateForm({ card, template, onBack, onSent }: Props) {
  const t = composerWords.use();
  const ofTemplate = templatePartWords.use();
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [isAsked, setAsked] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const slots = slotsOf(template);
  const given = slots.map(({ id }) => values[id]?.trim() ?? '');
  const faults = slots.map((slot, n) => faultOfValue(slot, given[n] ?? ''));

  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    setAsked(true);
    const first = slots.find((_, n) => faults[n] !== null);
    if (first) {
      const field = event.currentTarget.elements.namedItem(first.id);
      if (field instanceof HTMLElement) field.focus();
      return;
    }
    setBusy(true);
    setError(null);
    try {
      await sendTemplate(card, template, recipientOf(template, slots, { thread_id: card.thread_id }, given));
      onSent();
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };

  return (
    <form onSubmit={submit} className={classes.form} noValidate>
      <div className={classes.fields}>
        {slots.map((slot, n) => (
          <TextInput
            key={slot.id}
            name={slot.id}
            size="sm"
            dir="auto"
            label={labelOf(slot)}
            description={slot.isOptional ? ofTemplate('optional') : undefined}
            required={!slot.isOptional}
            withAsterisk={false}
            autoFocus={slot === slots[0]}
            value={values[slot.id] ?? ''}
            error={isAsked && faults[n] ? capitalized(wordsOfFault(faults[n])) : undefined}
            onChange={(event) => setValues({ ...values, [slot.id]: event.currentTarget.value })}
          />
        ))}
      </div>
      <section aria-label={t('preview')}>
        <div className={classes.label}>{t('preview')}</div>
        <TemplatePreview {...filledIn(template, slots, given)} />
      </section>
      {error !== null && (
        <div className={classes.fault} role="alert">
          <CustomerText text={faultOf(t, error)} component="span" />
        </div>
      )}
      <Group className="ll-answers" justify="space-between" gap="xs">
        <Button variant="default" size="sm" onClick={onBack}>
          {t('back')}
        </Button>
        <Button type="submit" size="sm" autoFocus={slots.length === 0} loading={isBusy}>
          {t('sendTemplate')}
        </Button>
      </Group>
    </form>
  );
}

const capitalized = (words: string): string => words.charAt(0).toLocaleUpperCase() + words.slice(1);

function faultOf(t: typeof composerWords.say, error: unknown): string {
  if (!(error instanceof ApiError)) return explain(error);
  if (error.code === 'NETWORK' || error.code === 'NOT_JSON') return t('templateLost');
  return error.code === 'PROVIDER_ERROR' || error.code === 'VALIDATION_ERROR'
    ? `${explain(error)} ${error.message === explain(error) ? '' : isolated(error.message)}`.trim()
    : explain(error);
}
