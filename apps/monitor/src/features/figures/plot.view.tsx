import { Button, Group, Paper, SegmentedControl, Table, Text, Title } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { IconDownload } from '../../shared/ui/icons.view';
import { csvOf, saveFile } from '../../shared/format/csv-file';
import { CustomerText } from '../../shared/ui/customer-text.view';
import { commonWords } from '../../shared/words/common.words';
import classes from './figures.module.css';

/** The address of a board with a filter, as the board page reads it. */
export function boardLink(assistantId: string, filter: Record<string, string | boolean> = {}): string {
  const query = new URLSearchParams(Object.entries(filter).map(([name, value]) => [name, String(value)]));
  const words = query.toString();
  return `/board/${assistantId}${words === '' ? '' : `?${words}`}`;
}

/** A column of the table that stands behind a plot. */
export interface PlotColumn<Row> {
  name: string;
  /** As people read it. */
  shown: (row: Row) => string;
  /** As it stands in the CSV; else as it is shown. */
  raw?: (row: Row) => string | number | null;
  /** It has words, and needs room for them. */
  hasWords?: boolean;
}

interface Props<Row> {
  title: string;
  hint: string;
  /** Of the file. */
  fileName: string;
  rows: readonly Row[];
  columns: readonly PlotColumn<Row>[];
  keyOf: (row: Row) => string;
  children: ReactNode;
}

/** A plot, the table of its numbers, and both as a file. */
export function Plot<Row>({ title, hint, fileName, rows, columns, keyOf, children }: Props<Row>) {
  const t = commonWords.use();
  const [isTable, setTable] = useState(false);
  const download = () => {
    const cells = rows.map((row) =>
      Object.fromEntries(columns.map(({ name, raw, shown }) => [name, raw ? raw(row) : shown(row)])),
    );
    saveFile(`${fileName}.csv`, csvOf(cells));
  };
  return (
    <Paper component="section" withBorder p="md" bg="var(--ll-surface)" aria-label={title}>
      <Group justify="space-between" gap="xs" mb={4}>
        <Title order={2}>{title}</Title>
        <Group gap="xs">
          <SegmentedControl
            size="xs"
            aria-label={title}
            data={[
              { value: 'chart', label: t('asChart') },
              { value: 'table', label: t('asTable') },
            ]}
            value={isTable ? 'table' : 'chart'}
            onChange={(value) => setTable(value === 'table')}
          />
          <Button
            size="xs"
            variant="default"
            leftSection={<IconDownload size={14} aria-hidden />}
            onClick={download}
          >
            {t('downloadCsv')}
          </Button>
        </Group>
      </Group>
      <Text size="xs" c="dimmed" mb="xs">
        {hint}
      </Text>
      {isTable ? (
        <div className={classes.scroll} tabIndex={0} role="group" aria-label={title}>
          <Table striped withRowBorders={false} fz="sm">
            <Table.Thead>
              <Table.Tr>
                {columns.map(({ name }) => (
                  <Table.Th key={name}>{name}</Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map((row) => (
                <Table.Tr key={keyOf(row)}>
                  {columns.map(({ name, shown, hasWords }) => (
                    <Table.Td key={name} className={hasWords ? classes.words : undefined}>
                      <CustomerText text={shown(row)} />
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </div>
      ) : (
        children
      )}
    </Paper>
  );
}
