import type { GovernedTemplateAnswer } from '@app/client/api-types';
import { Alert, Stack, Text } from '@mantine/core';
import { dateAndTime } from '../../../shared/format/time.format';
import { useIsAdmin } from '../../../shared/session/session.store';
import { templatePartWords } from '../../../shared/template/template-part.words';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import { DetailHead } from '../parts/lists/detail-head.view';
import { numberOf } from './numbers.format';
import { TemplateEditor } from './template-editor.view';
import { formOf, previewOf } from './template-form.format';
import { TemplatePreview } from '../../../shared/template/template-preview.view';
import { TemplateState } from './template-state.view';
import { templateWords } from './template.words';

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
