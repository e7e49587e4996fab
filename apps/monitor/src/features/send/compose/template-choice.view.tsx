import type { GovernedTemplateAnswer } from '@app/client/api-types';
import { Badge, Group, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { isolated } from '../../../shared/format/direction.format';
import { numbersQuery, numberChoices, numberKey } from '../../../shared/leads/bots.query';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import { EmptyState, ErrorState, LoadingState } from '../../../shared/ui/states.view';
import { languageName } from '../../../shared/words/language.store';
import { composing, useComposed } from './composed.store';
import { sendWords } from '../send.words';

interface Props {
  templates: readonly GovernedTemplateAnswer[];
  areLoading: boolean;
}

/** By which number, and which template. */
export function TemplateChoice({ templates, areLoading }: Props) {
  const t = sendWords.use();
  const { sender, templateId } = useComposed();
  const senders = useQuery(numbersQuery);
  const [only] = senders.data?.length === 1 ? senders.data : [];
  useEffect(() => {
    if (only && !sender) composing.change({ sender: only });
  }, [only, sender]);

  if (senders.isPending) return <LoadingState />;
  if (senders.isError) return <ErrorState error={senders.error} onRetry={() => void senders.refetch()} />;
  if (senders.data.length === 0) return <EmptyState title={t('noNumbers')} hint={t('noNumbersHint')} />;
  return (
    <Group align="flex-start" gap="sm" grow preventGrowOverflow={false}>
      <Select
        label={t('number')}
        miw={220}
        allowDeselect={false}
        searchable={senders.data.length > 8}
        data={numberChoices(senders.data)}
        value={sender && numberKey(sender)}
        onChange={(key) => {
          const chosen = senders.data.find((one) => numberKey(one) === key);
          if (chosen) composing.change({ sender: chosen, templateId: null, sources: {} });
        }}
      />
      <Select
        label={t('template')}
        miw={220}
        searchable
        allowDeselect={false}
        disabled={!sender || areLoading}
        placeholder={sender ? undefined : t('numberFirst')}
        renderOption={({ option }) => (
          <TemplateOption template={templates.find(({ id }) => id === option.value)} />
        )}
        description={sender && !areLoading && templates.length === 0 ? t('noTemplates') : undefined}
        data={templates.map(({ id, template_id, language }) => ({
          value: id,
          label: `${isolated(template_id)} · ${languageName(language)}`,
        }))}
        value={templateId}
        onChange={(id) => composing.change({ templateId: id, sources: {} })}
      />
    </Group>
  );
}

/** One name has a template in each language. */
function TemplateOption({ template }: { template: GovernedTemplateAnswer | undefined }) {
  return template ? (
    <Group gap="xs">
      <CustomerText text={template.template_id} />{' '}
      <Badge variant="light" color="blue" size="sm">
        {languageName(template.language)}
      </Badge>
    </Group>
  ) : null;
}
