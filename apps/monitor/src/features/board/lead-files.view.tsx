import { ActionIcon, Menu } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { downloadFile } from '../../shared/files/file-download';
import { IconDots, IconFileExport, IconFileImport } from '../../shared/ui/icons.view';
import { api } from '../../shared/api/page-api';
import { tellDone, tellError } from '../../shared/notices/notice.store';
import { confirmed, NotConfirmedError } from '../../shared/ui/confirmation.store';
import { filterOf, type BoardSearch } from './search/board-search';
import { boardWords } from './board.words';

interface Props {
  assistantId: string;
  search: BoardSearch;
}

/** Leads from a file, and those that the board's filters let through to one. */
export function LeadFiles({ assistantId, search }: Props) {
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
