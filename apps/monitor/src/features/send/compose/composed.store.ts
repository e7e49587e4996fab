import { useSyncExternalStore } from 'react';
import { session } from '../../../shared/session/session.store';
import type { Encoding } from '@app/contracts/values/text-encoding';
import type { CsvTable, Delimiter } from '../recipients/csv-types';
import type { Source } from '../recipients/column-guess';
import type { Sender } from '../send-types';

/** A file as it was chosen. */
export interface ChosenFile {
  name: string;
  bytes: ArrayBuffer;
  table: CsvTable;
  /** What the person chose; null: as it was found. */
  encoding: Encoding | null;
  delimiter: Delimiter | null;
}

/** A list that is being put together. */
export interface Composed {
  sender: Sender | null;
  /** The id of the template in the registry. */
  templateId: string | null;
  mode: 'hand' | 'csv';
  handText: string;
  /** The customer of a dialog that is written to by its id, as people know them. */
  dialog: { id: string; name: string } | null;
  handValues: 'same' | 'each';
  file: ChosenFile | null;
  phoneColumn: number | null;
  /** Of the customers' names; null: they are not taken. */
  nameColumn: number | null;
  /** By the id of the slot. */
  sources: Readonly<Record<string, Source>>;
  leavesDuplicates: boolean;
  leavesOptedOut: boolean;
}

const EMPTY: Composed = {
  ...{
    sender: null,
    templateId: null,
    mode: 'hand',
    handText: '',
    dialog: null,
    handValues: 'same',
    file: null,
  },
  ...{ phoneColumn: null, nameColumn: null, sources: {}, leavesDuplicates: true, leavesOptedOut: true },
};

let composed: Composed = EMPTY;
const listeners = new Set<() => void>();

/** Kept while the tab is open, and nowhere in the browser: it is full of customers. */
export const composing = {
  present: (): Composed => composed,
  change(next: Partial<Composed>): void {
    composed = { ...composed, ...next };
    for (const listener of listeners) listener();
  },
  clear: (): void => composing.change(EMPTY),
};

session.subscribe(() => {
  if (session.state().status === 'out') composing.clear();
});

export const useComposed = (): Composed =>
  useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, composing.present);
