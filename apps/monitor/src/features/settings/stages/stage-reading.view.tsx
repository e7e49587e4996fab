import type { StageSettingsAnswer } from '@app/client/api-types';
import { List, Stack, Text } from '@mantine/core';
import { leadWords } from '../../../shared/leads/lead.words';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import { DetailHead } from '../parts/lists/detail-head.view';
import { PageLink } from '../parts/page-link.view';
import { settingsWords } from '../settings.words';
import { stageSentences } from './stage-sentence.format';
import { stagesWords } from './stages.words';

/** A stage for those who may not change it. */
export function StageReading({ stage, scenarios }: { stage: StageSettingsAnswer; scenarios: number }) {
  const t = stagesWords.use();
  const common = settingsWords.use();
  const ofLeads = leadWords.use();
  return (
    <Stack gap="sm" maw={640}>
      <DetailHead name={stage.name} />
      <Text size="sm" c="dimmed">
        {common('readOnly')}
      </Text>
      <Text size="sm">{`${t('kind')}: ${ofLeads(`kind_${stage.kind}`)}`}</Text>
      {stage.description !== null && (
        <div>
          <Text size="sm" c="dimmed">
            {t('description')}
          </Text>
          <CustomerText text={stage.description} component="p" />
        </div>
      )}
      <List size="sm">
        {stageSentences(stage, scenarios).map((sentence) => (
          <List.Item key={sentence}>{sentence}</List.Item>
        ))}
      </List>
      {scenarios > 0 && (
        <PageLink page="scenarios" search={{ agent: stage.assistant_id }}>
          {t('scenarios')}
        </PageLink>
      )}
    </Stack>
  );
}
