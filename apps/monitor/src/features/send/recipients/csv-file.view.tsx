import { Alert, Group, Select, Stack, Text } from '@mantine/core';
import { useState, useEffect } from 'react';
import { FileDrop } from '../../../shared/files/file-drop.view';
import { isolated } from '../../../shared/format/direction.format';
import { fileSize, wholeNumber } from '../../../shared/format/number.format';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import { guessName, guessPhone, guessSources, looksLikePhone } from './column-guess';
import { composing, useComposed, type ChosenFile } from '../compose/composed.store';
import { ENCODINGS, isWorkbook, type Encoding } from '@app/contracts/values/text-encoding';
import { DELIMITERS, type CsvAnswer, type CsvQuestion, type CsvTable, type Delimiter } from './csv-types';
import { sendWords } from '../send.words';
import { type Slot, labelOf } from '../../../shared/template/slot.rules';
import { SharedText } from './hand.view';

const SAME = 'same';
const NONE = 'none';

/** Which column is the phone, and where the values come from. */
function ColumnMapping({ file: { table }, slots }: { file: ChosenFile; slots: readonly Slot[] }) {
  const t = sendWords.use();
  const { phoneColumn, nameColumn, sources } = useComposed();
  useEffect(() => {
    // Another template after the file.
    if (slots.every(({ id }) => sources[id])) return;
    const guessed = guessSources(table, phoneColumn, slots);
    composing.change({
      sources: Object.fromEntries(
        slots.map(({ id }, n) => [id, sources[id] ?? guessed[n] ?? { column: null, text: '' }]),
      ),
    });
  }, [slots, sources, table, phoneColumn]);

  const columns = table.header.map((name, column) => ({
    value: String(column),
    label: name === '' ? t('column', { number: column + 1 }) : name,
  }));
  return (
    <Stack gap="sm" role="group" aria-label={t('columns')}>
      <Select
        label={t('phoneColumn')}
        placeholder={t('chooseColumn')}
        allowDeselect={false}
        data={columns}
        value={phoneColumn === null ? null : String(phoneColumn)}
        onChange={(column) => composing.change({ phoneColumn: column === null ? null : Number(column) })}
        error={phoneColumn === null ? t('chooseColumn') : undefined}
      />
      <Select
        label={t('nameColumn')}
        description={t('nameColumnHint')}
        allowDeselect={false}
        data={[{ value: NONE, label: t('noNames') }, ...columns]}
        value={nameColumn === null ? NONE : String(nameColumn)}
        onChange={(column) =>
          composing.change({ nameColumn: column === NONE || column === null ? null : Number(column) })
        }
      />
      {slots.map((slot) => {
        const label = labelOf(slot);
        const column = sources[slot.id]?.column ?? null;
        return (
          <Group key={slot.id} gap="sm" align="flex-end" grow preventGrowOverflow={false}>
            <Select
              label={t('sourceOf', { slot: label })}
              allowDeselect={false}
              data={[{ value: SAME, label: t('sameForAll') }, ...columns]}
              value={column === null ? SAME : String(column)}
              onChange={(chosen) =>
                composing.change({
                  sources: {
                    ...sources,
                    [slot.id]: {
                      column: chosen === SAME || chosen === null ? null : Number(chosen),
                      text: sources[slot.id]?.text ?? '',
                    },
                  },
                })
              }
            />
            {column === null && <SharedText slot={slot} label={t('textOf', { slot: label })} />}
          </Group>
        );
      })}
    </Stack>
  );
}

/** Longer files are lists for programs. */
const FILE_BYTES_MAX = 30_000_000;

let worker: Worker | null = null;
let lastId = 0;

/** Of this origin, as the policy of the page wants it. */
const started = (): Worker =>
  (worker ??= new Worker(new URL('./csv.worker.ts', import.meta.url), { type: 'module' }));

/** Reads a file, apart from the page. @param encoding null: it is found, and so is the delimiter */
function readCsv(
  bytes: ArrayBuffer,
  encoding: Encoding | null,
  delimiter: Delimiter | null,
): Promise<CsvTable> {
  const id = (lastId += 1);
  const reader = started();
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      reader.removeEventListener('message', onMessage);
      reader.removeEventListener('error', onError);
    };
    const onMessage = ({ data }: MessageEvent<CsvAnswer>): void => {
      if (data.id !== id) return;
      settle();
      if ('table' in data) resolve(data.table);
      else reject(new Error(data.failure));
    };
    const onError = (event: ErrorEvent): void => {
      settle();
      worker = null;
      reject(new Error(event.message));
    };
    reader.addEventListener('message', onMessage);
    reader.addEventListener('error', onError);
    reader.postMessage({ id, bytes, encoding, delimiter } satisfies CsvQuestion);
  });
}

const DELIMITER_WORDS = { ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'bar' } as const;
const ENCODING_NAMES: Record<Encoding, string> = {
  ...{ 'utf-8': 'UTF-8', 'utf-16le': 'UTF-16 LE', 'utf-16be': 'UTF-16 BE', 'windows-1251': 'Windows-1251' },
  'windows-1252': 'Windows-1252',
};

const FAULT_WORDS = {
  quotes: 'fileQuotes',
  tooManyCells: 'fileTooManyCells',
  unreadable: 'fileUnreadable',
} as const;

type Given = Omit<ChosenFile, 'table'>;

/** Reads a file, as it was found or as the person says it is, and guesses its columns. */
async function take(given: Given, slots: readonly Slot[], country: string | null): Promise<void> {
  const table = await readCsv(given.bytes, given.encoding, given.delimiter);
  const phoneColumn = guessPhone(table, country);
  const guessed = guessSources(table, phoneColumn, slots);
  composing.change({
    file: { ...given, table },
    phoneColumn,
    nameColumn: guessName(table, phoneColumn),
    sources: Object.fromEntries(slots.map(({ id }, n) => [id, guessed[n] ?? { column: null, text: '' }])),
  });
}

/** A file of recipients: how it was read, and which column means what. */
export function CsvRecipients({ slots, country }: { slots: readonly Slot[]; country: string | null }) {
  const t = sendWords.use();
  const { file, phoneColumn } = useComposed();
  const [failure, setFailure] = useState<{
    word: 'fileFailed' | 'fileTooLarge' | 'fileIsWorkbook';
    name: string;
  } | null>(null);
  const [isBusy, setBusy] = useState(false);

  const during = async (name: string, read: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setFailure(null);
    await read().catch(() => setFailure({ word: 'fileFailed', name }));
    setBusy(false);
  };
  const choose = async (chosen: File): Promise<void> => {
    const { name, size } = chosen;
    if (size > FILE_BYTES_MAX) {
      setFailure({ word: 'fileTooLarge', name });
      return;
    }
    await during(name, async () => {
      const bytes = await chosen.arrayBuffer();
      if (isWorkbook(new Uint8Array(bytes))) setFailure({ word: 'fileIsWorkbook', name });
      else await take({ name, bytes, encoding: null, delimiter: null }, slots, country);
    });
  };

  const header = file?.table.header ?? [];
  const fault = file?.table.fault ?? null;
  const isBlank = header.every((name) => name === '');
  const phoneInHeader =
    (phoneColumn === null ? header : header.slice(phoneColumn, phoneColumn + 1)).find((name) =>
      looksLikePhone(name, country),
    ) ?? null;
  return (
    <Stack gap="sm">
      <FileDrop
        name={file?.name ?? null}
        words={{ choose: t('chooseFile'), other: t('otherFile'), hint: t('dropFile') }}
        isBusy={isBusy}
        onFile={(chosen) => void choose(chosen)}
      />
      {failure !== null && (
        <Alert color="red" role="alert">
          <CustomerText
            text={`${isolated(failure.name)}: ${t(failure.word, { size: fileSize(FILE_BYTES_MAX) })}`}
          />
        </Alert>
      )}
      {file && (
        <>
          <HowItIsRead
            file={file}
            onRead={(given) => void during(given.name, () => take(given, slots, country))}
          />
          {file.table.isCut && (
            <Alert color="orange">{t('fileCut', { count: wholeNumber(file.table.rows.length) })}</Alert>
          )}
          {phoneInHeader !== null && (
            <Alert color="orange" role="alert">
              <CustomerText text={t('headerIsPhone', { phone: phoneInHeader })} />
            </Alert>
          )}
          {fault && (
            <Alert color="red" role="alert">
              {t(FAULT_WORDS[fault.kind], { row: fault.row })}
            </Alert>
          )}
          {file.table.encoding === null && (
            <Alert color="orange" role="alert">
              {t('fileUnsure')}
            </Alert>
          )}
          {!fault && file.table.encoding !== null && file.table.rows.length === 0 && (
            <Alert color="orange">{t(isBlank ? 'fileBlank' : 'fileEmpty')}</Alert>
          )}
          {file.table.rows.length > 0 && <ColumnMapping file={file} slots={slots} />}
        </>
      )}
    </Stack>
  );
}

function HowItIsRead({ file, onRead }: { file: ChosenFile; onRead: (given: Given) => void }) {
  const t = sendWords.use();
  const { table } = file;
  return (
    <Group gap="sm" align="flex-end">
      <Select
        label={t('encoding')}
        w={150}
        placeholder={t('chooseEncoding')}
        allowDeselect={false}
        data={ENCODINGS.map((value) => ({ value, label: ENCODING_NAMES[value] }))}
        value={table.encoding}
        onChange={(encoding) => onRead({ ...file, encoding: encoding })}
      />
      <Select
        label={t('delimiter')}
        w={190}
        allowDeselect={false}
        data={DELIMITERS.map((value) => ({ value, label: t(DELIMITER_WORDS[value]) }))}
        value={table.delimiter}
        onChange={(delimiter) => onRead({ ...file, delimiter: delimiter })}
      />
      {table.fault === null && table.encoding !== null && (
        <Text size="sm" c="dimmed" pb={8}>
          {t('rows', { count: table.rows.length })}
        </Text>
      )}
    </Group>
  );
}
