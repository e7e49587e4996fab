import type { TemplateAnswer } from '@app/client/api-types';
import { Badge, Modal, TextInput, UnstyledButton } from '@mantine/core';
import type { Card } from '@app/contracts/board-events';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../shared/api/page-api';
import { tellDone } from '../../../shared/notices/notice.store';
import { templatePartWords } from '../../../shared/template/template-part.words';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import { EmptyState, ErrorState, LoadingState } from '../../../shared/ui/states.view';
import { languageName } from '../../../shared/words/language.store';
import { composerWords } from './composer.words';
import { isolated } from '../../../shared/format/direction.format';
import { customerName, channelOf } from '../../../shared/leads/lead-names.format';
import { useOpening } from '../../../shared/ui/opening.hook';
import classes from './template.module.css';
import { TemplateForm } from './template-form.view';

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
