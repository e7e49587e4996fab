import type { GovernedTemplateAnswer } from '@app/client/api-types';
import { Alert, Stack, Text } from '@mantine/core';
import { dateAndTime } from '../../../shared/format/time.format';
import { useIsAdmin } from '../../../shared/session/session.store';
import { templatePartWords } from '../../../shared/template/template-part.words';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import { Mark, type Tone } from '../parts/lists/entry-list.view';
import { DetailHead } from '../parts/lists/list-detail.view';
import { TemplateEditor } from './template-editor.view';
import { formOf, previewOf, numberOf } from './template-form.format';
import { TemplatePreview } from '../../../shared/template/template-preview.view';
import { templateWords } from './template.words';

const TONES: Record<GovernedTemplateAnswer['status'], Tone> = {
  ...{ draft: 'plain', pending: 'waiting', approved: 'good' },
  ...{ rejected: 'bad', paused: 'waiting', disabled: 'bad' },
};

/** Where a template stands in moderation. */
export function TemplateState({ status }: Pick<GovernedTemplateAnswer, 'status'>) {
  const t = templateWords.use();
  return <Mark tone={TONES[status]} text={t(`status_${status}`)} />;
}

interface Props {
  template: GovernedTemplateAnswer;
  numbers: readonly { value: string; label: string }[];
  onDeleted: () => void;
}

/** A template: how it stands, and its text, to be changed where it can be. */
export function TemplateDetail({ template, numbers, onDeleted }: Props) {
  const t = templateWords.use();
  const ofTemplates = templatePartWords.use();
  const isAdmin = useIsAdmin();
  const { template_id: id, name, language, status, category, reason, updated_at: at } = template;
  const canChange = status === 'draft' || status === 'rejected';
  const number = numbers.find(({ value }) => value === numberOf(template));
  return (
    <>
      <DetailHead name={id}>
        <TemplateState status={status} />
      </DetailHead>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          <bdi dir="ltr">{name}</bdi> · {language} · {ofTemplates(`category_${category}`)}
          {number && (
            <>
              {' · '}
              <CustomerText text={number.label} />
            </>
          )}
          {' · '}
          {t('changedAt', { at: dateAndTime(at) })}
        </Text>
        <Text size="sm">{t(`statusHint_${status}`)}</Text>
        {reason !== null && (
          <Alert color={status === 'pending' ? 'yellow' : 'red'}>
            {t('reason')} <CustomerText text={reason} />
          </Alert>
        )}
        {isAdmin && canChange ? (
          <TemplateEditor template={template} numbers={numbers} onDone={onDeleted} />
        ) : (
          <>
            {isAdmin && (
              <Text size="sm" c="dimmed">
                {t('locked')}
              </Text>
            )}
            <TemplatePreview {...previewOf(formOf(template))} />
          </>
        )}
      </Stack>
    </>
  );
}
