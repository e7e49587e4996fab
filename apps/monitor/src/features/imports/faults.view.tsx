import type { ImportAnswer, ImportFaultAnswer } from '@app/client/api-types';
import { TRANSFER_LIMITS } from '@app/contracts/transfer.words';
import { Button, Center, Group, Table, Text, Title, Alert } from '@mantine/core';
import { useState } from 'react';
import { IconDownload } from '../../shared/ui/icons.view';
import { saveFile } from '../../shared/format/csv-file';
import { wholeNumber } from '../../shared/format/number.format';
import { CustomerText } from '../../shared/ui/customer-text.view';
import parts from '../../shared/ui/part.module.css';
import { commonWords } from '../../shared/words/common.words';
import { columnInWords, faultInWords, faultsCsv, refusalInWords, type FileRefusal } from './faults.format';
import classes from './imports.module.css';
import { importsWords } from './imports.words';

/** That a file as a whole cannot be used, and why. */
export function RefusedFile({ refusal }: { refusal: FileRefusal }) {
  const t = importsWords.use();
  const why = refusalInWords(refusal);
  return (
    <Alert color="red" role="alert">
      {t('fileRefused')}{' '}
      {why === null ? <CustomerText text={refusal.message} lang="en" /> : <CustomerText text={why} />}
    </Alert>
  );
}

const PAGE = 100;

/** What is wrong with rows that were not taken in, and the same as a file. */
export function Faults({ shown: { faults } }: { shown: ImportAnswer }) {
  const t = importsWords.use();
  const common = commonWords.use();
  const [most, setMost] = useState(PAGE);
  return (
    <section className={parts.part} aria-label={t('faults')}>
      <Group justify="space-between" gap="xs" mb="xs">
        <Title order={2}>{t('faults')}</Title>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          onClick={() => saveFile(t('faultsFile'), faultsCsv(faults))}
        >
          {t('faultsCsv')}
        </Button>
      </Group>
      <Text size="sm" c="dimmed" mb="xs">
        {t('faultsHint')}{' '}
        {faults.length >= TRANSFER_LIMITS.faultsMax &&
          t('faultsCut', { count: wholeNumber(TRANSFER_LIMITS.faultsMax) })}
      </Text>
      <Table aria-label={t('faults')} className={classes.faults}>
        <Table.Thead>
          <Table.Tr>
            {(['row', 'column', 'fault'] as const).map((key) => (
              <Table.Th key={key} scope="col">
                {t(key)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {faults.slice(0, most).map((fault, index) => (
            <Table.Tr key={index}>
              <Table.Td>{wholeNumber(fault.row)}</Table.Td>
              <Table.Td>{columnInWords(fault)}</Table.Td>
              <Table.Td>
                <WhatIsWrong fault={fault} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {faults.length > most && (
        <Center mt="xs">
          <Button size="xs" variant="default" onClick={() => setMost(most + PAGE)}>
            {common('more')}
          </Button>
        </Center>
      )}
    </section>
  );
}

function WhatIsWrong({ fault }: { fault: ImportFaultAnswer }) {
  const words = faultInWords(fault);
  return words === null ? <CustomerText text={fault.message} lang="en" /> : <CustomerText text={words} />;
}
