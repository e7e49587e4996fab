import { Button, NativeSelect, ActionIcon, Menu } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../shared/api/page-api';
import { downloadFile } from '../../shared/files/browser-download';
import { tellDone, tellError } from '../../shared/notices/notice.store';
import { useSignedIn } from '../../shared/session/session.store';
import { confirmed, NotConfirmedError } from '../../shared/ui/confirmation.store';
import { IconDots, IconFileExport, IconFileImport } from '../../shared/ui/icons.view';
import { BOARD_SORTS, boardSearch, type BoardSearch, filterOf } from './search/board-search';
import { boardWords } from './board.words';
import { Filters, LinkedFilters } from './search/filters.view';
import { SearchBox } from './search/search-box.view';
import classes from './toolbar.module.css';

interface LeadFilesProps {
  assistantId: string;
  search: BoardSearch;
}

/** Leads from a file, and those that the board's filters let through to one. */
function LeadFiles({ assistantId, search }: LeadFilesProps) {
  const t = boardWords.use();
  const navigate = useNavigate();
  const [isBusy, setBusy] = useState(false);
  const exportLeads = async (): Promise<void> => {
    setBusy(true);
    const body = { ...filterOf(search), assistant_id: assistantId, format: 'csv' as const };
    try {
      const file = await confirmed(() => api.file('post', '/api/v1/leads/export', { body }));
      downloadFile(t('exportFile'), file, 'text/csv;charset=utf-8');
      tellDone(t('exported'));
    } catch (error) {
      if (!(error instanceof NotConfirmedError)) tellError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon
          size={30}
          variant="default"
          loading={isBusy}
          aria-label={isBusy ? t('exporting') : t('files')}
        >
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown aria-label={t('files')}>
        <Menu.Item
          leftSection={<IconFileImport size={16} aria-hidden />}
          onClick={() => void navigate({ to: '/import', search: { agent: assistantId } })}
        >
          {t('importLeads')}
        </Menu.Item>
        <Menu.Item leftSection={<IconFileExport size={16} aria-hidden />} onClick={() => void exportLeads()}>
          {t('exportLeads')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

interface Props {
  assistantId: string;
  search: BoardSearch;
}

/** Which agent's board, which leads of it, and in which order. All of it stands in the address. */
export function Toolbar({ assistantId, search }: Props) {
  const t = boardWords.use();
  const { assistants } = useSignedIn();
  const navigate = useNavigate();
  const change = (fields: BoardSearch): void =>
    void navigate({
      to: '.',
      // Both addresses of the board have the same search, which the type of "here" does not know.
      search: (before) => boardSearch({ ...before, ...fields }) as never,
      replace: true,
    });
  const { sort: _order, ...filters } = search;
  const isFiltered = Object.keys(boardSearch(filters)).length > 0;
  return (
    <div className={classes.toolbar} role="group" aria-label={t('board')}>
      <NativeSelect
        className={classes.agent}
        size="xs"
        aria-label={t('agent')}
        value={assistantId}
        data={assistants.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(event) =>
          void navigate({
            to: '/board/$assistantId',
            params: { assistantId: event.currentTarget.value },
            // Stages and numbers are of one agent.
            search: (before) => boardSearch({ ...before, stage: undefined, bot: undefined }),
          })
        }
      />
      <SearchBox words={search.search ?? ''} onSearch={(words) => change({ search: words || undefined })} />
      <Filters {...{ assistantId, search }} onChange={change} />
      <LinkedFilters search={search} onChange={change} />
      <NativeSelect
        size="xs"
        aria-label={t('sort')}
        value={search.sort ?? 'activity'}
        data={BOARD_SORTS.map((sort) => ({
          value: sort,
          label: t(sort === 'activity' ? 'sortActivity' : 'sortWaiting'),
        }))}
        onChange={(event) => {
          const sort = BOARD_SORTS.find((word) => word === event.currentTarget.value);
          change({ sort: sort === 'activity' ? undefined : sort });
        }}
      />
      {isFiltered && (
        <Button
          size="xs"
          variant="subtle"
          onClick={() => change(Object.fromEntries(Object.keys(filters).map((name) => [name, undefined])))}
        >
          {t('clear')}
        </Button>
      )}
      <LeadFiles assistantId={assistantId} search={search} />
    </div>
  );
}
