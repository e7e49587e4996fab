import type { GovernedTemplateAnswer } from '@app/client/api-types';
import { Group, NativeSelect, Stack, Text, Title, Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { TEMPLATE_STATUSES } from '@app/contracts/template.words';
import { useState } from 'react';
import { api, queryClient } from '../../../shared/api/page-api';
import { useIsAdmin } from '../../../shared/session/session.store';
import { templatePartWords } from '../../../shared/template/template-part.words';
import { Ask } from '../../../shared/ui/ask.view';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import { EmptyState } from '../../../shared/ui/states.view';
import { languageName } from '../../../shared/words/language.store';
import { useAct } from '../parts/forms/save.hook';
import { EntryList, NewButton } from '../parts/lists/entry-list.view';
import { ListDetail, DetailHead, ListPending } from '../parts/lists/list-detail.view';
import { botsQuery } from '../../../shared/leads/bots.query';
import { useSettingsSearch, NEW, useOpenEntry } from '../parts/settings-search.hook';
import { settingsWords } from '../settings.words';
import { TemplateDetail, TemplateState } from './template-detail.view';
import { TemplateEditor, templatesQuery } from './template-editor.view';
import { numberOf, numbersOf } from './template-form.format';
import { templateWords } from './template.words';

/** Makes the registry follow the provider's own list, for one number. */
function Synchronise({ numbers }: { numbers: readonly { value: string; label: string }[] }) {
  const t = templateWords.use();
  const { isBusy, act } = useAct();
  const [isAsked, setAsked] = useState(false);
  const [number, setNumber] = useState('');
  const chosen = number === '' ? (numbers[0]?.value ?? '') : number;
  const synchronise = async (): Promise<void> => {
    const [bot_id = '', channel] = chosen.split(' ') as [string, GovernedTemplateAnswer['channel']];
    const body = { bot_id, channel };
    const counts = await act(
      () => api.post('/api/v1/admin/templates/synchronize', { body }),
      (done) => t(done.unreadable > 0 ? 'synchronisedInPart' : 'synchronised', { ...done }),
    );
    if (!counts) return;
    setAsked(false);
    void queryClient.invalidateQueries({ queryKey: templatesQuery.queryKey });
  };
  return (
    <>
      <Button size="xs" variant="default" disabled={numbers.length === 0} onClick={() => setAsked(true)}>
        {t('synchronise')}
      </Button>
      <Ask
        isOpen={isAsked}
        {...{ title: t('synchroniseTitle'), text: t('synchroniseHint'), action: t('synchronise'), isBusy }}
        isGrave={false}
        onAnswer={() => void synchronise()}
        onClose={() => setAsked(false)}
      >
        <NativeSelect
          label={t('number')}
          mt="sm"
          data-autofocus
          data={[...numbers]}
          value={chosen}
          onChange={(event) => setNumber(event.currentTarget.value)}
        />
      </Ask>
    </>
  );
}

/** `/settings/templates`. Operators read them. */
export function TemplatesPage() {
  const t = templateWords.use();
  const settings = settingsWords.use();
  const isAdmin = useIsAdmin();
  const templates = useQuery(templatesQuery);
  const bots = useQuery(botsQuery);
  const { id, open, reopen, close } = useOpenEntry();
  const [search] = useSettingsSearch();
  const failed = templates.error ?? bots.error;
  if (!templates.data || !bots.data)
    return (
      <ListPending
        title={t('title')}
        error={failed}
        onRetry={() => {
          void templates.refetch();
          void bots.refetch();
        }}
      />
    );
  const numbers = numbersOf(bots.data);
  const shown = templates.data.find((template) => template.id === id);
  const detail =
    id === undefined ? null : id === NEW && isAdmin ? (
      <>
        <DetailHead name={t('newTitle')} />
        {numbers.length === 0 ? (
          <EmptyState title={t('noNumbers')} />
        ) : (
          <TemplateEditor
            key={NEW}
            template={null}
            numbers={numbers}
            number={numbers.find(({ value }) => value === search.number)?.value}
            onDone={reopen}
          />
        )}
      </>
    ) : shown ? (
      <TemplateDetail
        key={`${shown.id} ${shown.status}`}
        template={shown}
        numbers={numbers}
        onDeleted={() => reopen(undefined)}
      />
    ) : (
      <EmptyState title={settings('gone')} />
    );
  return (
    <ListDetail
      title={t('title')}
      action={isAdmin && <NewButton label={t('draft')} onClick={() => open(NEW)} />}
      list={<TemplateList {...{ templates: templates.data, numbers, openId: id, isAdmin }} />}
      detail={detail}
      onBack={close}
    />
  );
}

interface ListProps {
  templates: readonly GovernedTemplateAnswer[];
  numbers: readonly { value: string; label: string }[];
  openId: string | undefined;
  isAdmin: boolean;
}

function TemplateList({ templates, numbers, openId, isAdmin }: ListProps) {
  const t = templateWords.use();
  const ofTemplates = templatePartWords.use();
  const [{ status = '', number = '' }, change] = useSettingsSearch();
  const shown = templates.filter(
    (template) =>
      (status === '' || template.status === status) && (number === '' || numberOf(template) === number),
  );
  // Each number may have a template of this name. One that is not connected any more keeps its templates.
  const isByNumber = number === '' && numbers.length > 1;
  const known = new Map(numbers.map(({ value, label }) => [value, label]));
  const groups = [...new Set([...known.keys(), ...shown.map(numberOf)])]
    .map((value) => ({
      ...{ value, label: known.get(value) ?? t('otherNumber') },
      entries: shown.filter((template) => numberOf(template) === value),
    }))
    .filter(({ entries }) => entries.length > 0);
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {isAdmin ? t('intro') : t('readOnly')}
      </Text>
      <Group gap="xs" align="flex-end">
        <NativeSelect
          size="xs"
          label={t('filterStatus')}
          data={[
            { value: '', label: t('all') },
            ...TEMPLATE_STATUSES.map((value) => ({ value, label: t(`status_${value}`) })),
          ]}
          value={status}
          onChange={(event) => change({ status: event.currentTarget.value || undefined })}
        />
        <NativeSelect
          size="xs"
          label={t('filterNumber')}
          data={[{ value: '', label: t('all') }, ...numbers]}
          value={number}
          onChange={(event) => change({ number: event.currentTarget.value || undefined })}
        />
        {isAdmin && <Synchronise numbers={numbers} />}
      </Group>
      {shown.length === 0 ? (
        <EmptyState
          title={templates.length === 0 ? t('none') : t('noneFiltered')}
          hint={templates.length === 0 && isAdmin ? t('noneHint') : undefined}
        />
      ) : (
        groups.map(({ value, label, entries }) => (
          <div key={value}>
            {isByNumber && (
              <Title order={2} size="h3" mb={4}>
                <CustomerText text={label} />
              </Title>
            )}
            <EntryList
              label={isByNumber ? label : t('title')}
              entries={entries.map((template) => ({
                ...{ id: template.id, name: template.template_id, tag: languageName(template.language) },
                detail: ofTemplates(`category_${template.category}`),
                mark: <TemplateState status={template.status} />,
              }))}
              openId={openId}
              search={(next) => ({ status: status || undefined, number: number || undefined, id: next })}
            />
          </div>
        ))
      )}
    </Stack>
  );
}
