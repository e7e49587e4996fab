import { Alert, Button, Checkbox, Group, Stack, Switch, Text } from '@mantine/core';
import { useState } from 'react';
import { saveFile, csvOfTable } from '../../../shared/format/csv-file';
import { IconDownload } from '../../../shared/ui/icons.view';
import { explain } from '../../../shared/words/error.words';
import { commonWords } from '../../../shared/words/common.words';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import classes from '../send.module.css';
import { composing, useComposed, type ChosenFile } from '../compose/composed.store';
import { isMarked, leftOutOf, leftOutWords, marksOf, type MarkedRow } from './marked-rows';
import type { OptedOut } from './opted-out.hook';
import { isDialog } from './recipient-check';
import { sendWords } from '../send.words';
import { VirtualRows } from './virtual-rows.view';

/** The rows of a file that have faults, as they stand in it, with what is wrong: to be mended, and chosen again. */
export function faultyRowsCsv({ table }: ChosenFile, faulty: readonly MarkedRow[]): string {
  const wrong = new Map(faulty.map((row) => [row.row, marksOf(row, true).join('; ')]));
  const rows = table.rows
    .filter(({ row }) => wrong.has(row))
    .map(({ row, cells }) => [...table.header.map((_, column) => cells[column] ?? ''), wrong.get(row) ?? '']);
  const header = [...table.header, sendWords.say('whyNotSent')];
  return csvOfTable(header, rows);
}

/** Hands out the rows that have faults. @param csv makes the file */
export function FaultyRows({ csv }: { csv: () => string }) {
  const t = sendWords.use();
  return (
    <Button
      size="compact-sm"
      variant="default"
      leftSection={<IconDownload size={14} aria-hidden />}
      onClick={() => saveFile(t('faultyFileName'), csv())}
    >
      {t('faultyRows')}
    </Button>
  );
}

interface Props {
  rows: readonly MarkedRow[];
  readyCount: number;
  optedOut: OptedOut;
  onRow: (row: MarkedRow) => void;
}

/** Whom a row is for: a phone as it is to be shown, or the customer of a dialog, by the name where it is known. */
export function RecipientName({ to, phone = to }: { to: string; phone?: string }) {
  const { dialog } = useComposed();
  if (!isDialog(to)) return <CustomerText text={phone} isPhone />;
  return <CustomerText text={dialog?.id === to ? dialog.name : to} />;
}

/** The recipients as they will be sent to, with what speaks against it. */
export function Check({ rows, readyCount, optedOut, onRow }: Props) {
  const t = sendWords.use();
  const common = commonWords.use();
  const { leavesDuplicates, leavesOptedOut, mode, file } = useComposed();
  const [onlyMarked, setOnlyMarked] = useState(false);
  const leftOut = leftOutOf(rows, { duplicates: leavesDuplicates, optedOut: leavesOptedOut });
  const shown = onlyMarked ? rows.filter(isMarked) : rows;
  const isFile = mode === 'csv';
  return (
    <Stack gap="xs">
      <Text size="sm" role="status">
        {[t('readyCount', { count: readyCount }), ...leftOutWords(leftOut)].join(' · ')}
        {optedOut.state === 'asking' && ` · ${t('askingOptedOut')}`}
      </Text>
      {optedOut.state === 'failed' && (
        <Alert color="orange" role="alert" p="xs">
          <Group gap="xs">
            <Text size="sm">{`${t('optedOutFailed')} ${explain(optedOut.error)}`}</Text>
            <Button size="compact-sm" variant="default" onClick={optedOut.retry}>
              {common('retry')}
            </Button>
          </Group>
        </Alert>
      )}
      <Group gap="md">
        <Switch
          label={t('onlyFaults')}
          checked={onlyMarked}
          onChange={(event) => setOnlyMarked(event.currentTarget.checked)}
        />
        {rows.some(({ duplicateOf }) => duplicateOf !== null) && (
          <Checkbox
            label={t('leaveDuplicates')}
            checked={leavesDuplicates}
            onChange={(event) => composing.change({ leavesDuplicates: event.currentTarget.checked })}
          />
        )}
        {rows.some(({ isOptedOut }) => isOptedOut) && (
          <Checkbox
            label={t('leaveOptedOut')}
            checked={leavesOptedOut}
            onChange={(event) => composing.change({ leavesOptedOut: event.currentTarget.checked })}
          />
        )}
        {isFile && file && leftOut.faults.length > 0 && (
          <FaultyRows csv={() => faultyRowsCsv(file, leftOut.faults)} />
        )}
      </Group>
      <VirtualRows
        label={t('check')}
        columns={[
          { key: 'row', title: t(isFile ? 'row' : 'line'), className: classes.number },
          { key: 'phone', title: t('phone'), className: classes.phone },
          { key: 'values', title: t('values'), className: classes.values },
          { key: 'state', title: t('state'), className: classes.state },
        ]}
        count={shown.length}
        keyOf={(n) => n}
        empty={t('nothingMarked')}
        onRow={(n) => {
          const row = shown[n];
          if (row) onRow(row);
        }}
        cells={(n) => {
          const row = shown[n] as MarkedRow;
          const marks = marksOf(row, isFile);
          return [
            row.row,
            row.to === null ? <CustomerText text={row.phone} /> : <RecipientName to={row.to} />,
            row.values.map((value, at) => (
              <CustomerText key={at} text={value || '—'} className={classes.value} />
            )),
            marks.length === 0 ? t('ready') : <span className={classes.mark}>{marks.join('; ')}</span>,
          ];
        }}
      />
    </Stack>
  );
}
