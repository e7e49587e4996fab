import type { TemplateAnswer, RecipientRequest } from '@app/client/api-types';
import { ApiError } from '@app/client/api.errors';
import { newRequestId } from '@app/client/api-calls';
import { Badge, Modal, TextInput, UnstyledButton, Button, Group } from '@mantine/core';
import type { Card } from '@app/contracts/board-events';
import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { api } from '../../../shared/api/page-api';
import { tellDone } from '../../../shared/notices/notice.store';
import {
  filledIn,
  labelOf,
  recipientOf,
  slotsOf,
  faultOfValue,
  wordsOfFault,
} from '../../../shared/template/slot.rules';
import { templatePartWords } from '../../../shared/template/template-part.words';
import { TemplatePreview } from '../../../shared/template/template-preview.view';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import { EmptyState, ErrorState, LoadingState } from '../../../shared/ui/states.view';
import { explain } from '../../../shared/words/error.words';
import { languageName } from '../../../shared/words/language.store';
import { composerWords } from './composer.words';
import { isolated } from '../../../shared/format/direction.format';
import { customerName, channelOf } from '../../../shared/leads/lead-names.format';
import { useOpening } from '../../../shared/ui/opening.hook';
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

interface TemplateFormProps {
  card: Card;
  template: TemplateAnswer;
  onBack: () => void;
  onSent: () => void;
}

/** The values of a template, what the customer will see, and sending it. */
export function TemplateForm({ card, template, onBack, onSent }: TemplateFormProps) {
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

interface Props {
  card: Card;
  onClose: () => void;
}

/** The approved templates of the dialog's number: choose one, fill it, send it. */
export function Templates({ card, onClose }: Props) {
  const t = composerWords.use();
  const opening = useOpening(onClose);
  const [chosen, setChosen] = useState<TemplateAnswer | null>(null);
  return (
    <Modal
      {...opening}
      size="lg"
      title={<CustomerText text={t('templateTitle', { name: isolated(customerName(card)) })} />}
    >
      {chosen === null ? (
        <TemplateList card={card} onChoose={setChosen} />
      ) : (
        <TemplateForm
          card={card}
          template={chosen}
          onBack={() => setChosen(null)}
          onSent={() => {
            tellDone(t('templateSent', { name: isolated(customerName(card)) }));
            opening.onClose();
          }}
        />
      )}
    </Modal>
  );
}

/** After the window has noted what had the focus before it, to which it gives it back. */
function takeFocus(field: HTMLInputElement | null): void {
  if (field) requestAnimationFrame(() => field.focus());
}

function TemplateList({ card, onChoose }: { card: Card; onChoose: (template: TemplateAnswer) => void }) {
  const t = composerWords.use();
  const ofTemplates = templatePartWords.use();
  const [words, setWords] = useState('');
  const channel = channelOf(card);
  const read = useQuery({
    queryKey: ['templates', card.bot_id, channel, 'approved'],
    queryFn: () =>
      api.post('/api/v1/messages/get-templates', {
        body: { bot_id: card.bot_id, channel, status: 'approved' },
      }),
  });
  if (read.isPending) return <LoadingState />;
  if (read.isError) return <ErrorState error={read.error} onRetry={() => void read.refetch()} />;
  const { templates } = read.data;
  if (templates.length === 0) return <EmptyState title={t('noTemplates')} hint={t('noTemplatesHint')} />;
  const sought = words.trim().toLocaleLowerCase();
  const shown = templates.filter(({ name, body }) => `${name} ${body}`.toLocaleLowerCase().includes(sought));
  return (
    <>
      <TextInput
        size="sm"
        type="search"
        ref={takeFocus}
        data-autofocus
        aria-label={t('findTemplate')}
        placeholder={t('findTemplate')}
        value={words}
        onChange={(event) => setWords(event.currentTarget.value)}
      />
      {shown.length === 0 && <EmptyState title={t('noneFound')} />}
      {shown.length > 0 && (
        <ul className={classes.list}>
          {shown.map((template) => (
            <li key={`${template.template_id} ${template.language}`}>
              <UnstyledButton
                className={classes.choice}
                data-template-id={template.template_id}
                onClick={() => onChoose(template)}
              >
                <span className={classes.title}>
                  <CustomerText text={template.name} />
                  <Badge component="span" variant="light" color="blue" size="sm">
                    {languageName(template.language)}
                  </Badge>
                  <span>{ofTemplates(`category_${template.category}`)}</span>
                </span>
                <CustomerText text={template.body} component="span" className={classes.words} />
              </UnstyledButton>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
