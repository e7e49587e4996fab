import type { ImportFault, ImportState } from '@app/contracts/transfer.words';
import { eventually } from '../eventually';
import { request, type Answer, type ApiClient } from './api.client';

/** What get-import answers. */
export interface ShownImport {
  import_id: string;
  state: ImportState;
  failure: string | null;
  rows: number;
  done: number;
  created: number;
  moved: number;
  unchanged: number;
  faulty: number;
  faults: ImportFault[];
  ignored_columns: string[];
  would_start: { runs: number; messages: number } | null;
  finished_at: string | null;
}

export type ImportFields = Record<string, string>;

/** How a file of leads may be written. */
export type LeadEncoding =
  | 'utf-8'
  | 'utf-8 with a mark'
  | 'utf-16le'
  | 'utf-16be'
  | 'windows-1251'
  | 'windows-1252';

/** Cyrillic of Windows-1251: Ё and ё stand apart from the others, which follow one another. */
function windows1251(text: string): Buffer {
  const byteOf = (letter: string): number => {
    const code = letter.codePointAt(0) ?? 0;
    if (code < 0x80) return code;
    if (letter === 'Ё') return 0xa8;
    if (letter === 'ё') return 0xb8;
    if (code >= 0x410 && code <= 0x44f) return code - 0x410 + 0xc0;
    throw new Error(`no letter of this test in Windows-1251: ${letter}`);
  };
  return Buffer.from([...text].map(byteOf));
}

export function encoded(text: string, encoding: LeadEncoding): Buffer {
  if (encoding === 'utf-8') return Buffer.from(text);
  if (encoding === 'utf-8 with a mark') return Buffer.from(`\uFEFF${text}`);
  if (encoding === 'windows-1251') return windows1251(text);
  // Of the letters of Western Europe.
  if (encoding === 'windows-1252') return Buffer.from(text, 'latin1');
  const bytes = Buffer.from(`\uFEFF${text}`, 'utf16le');
  return encoding === 'utf-16le' ? bytes : bytes.swap16();
}

/** Imports and exports leads as an integrator does. */
export class TransferClient {
  constructor(private readonly api: ApiClient) {}

  /** @param further headers of the caller; default: the key */
  import(csv: string | Buffer, fields: ImportFields, further?: Record<string, string>): Promise<Answer> {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    form.append('file', new Blob([new Uint8Array(Buffer.from(csv))]), 'leads.csv');
    const headers = further ?? { 'X-API-Key': this.api.key };
    return request(`${this.api.url}/api/v1/leads/import`, { method: 'POST', headers, body: form });
  }

  get(importId: string, further: object = {}): Promise<Answer> {
    return this.api.call('leads/get-import', { import_id: importId, ...further });
  }

  cancel(importId: string): Promise<Answer> {
    return this.api.call('leads/cancel-import', { import_id: importId });
  }

  export(body: object): Promise<Answer> {
    return this.api.call('leads/export', body);
  }

  /** Imports a file, and waits until it is taken in. */
  async done(csv: string | Buffer, fields: ImportFields, withinMs = 30_000): Promise<ShownImport> {
    const { body, text } = await this.import(csv, fields);
    if (!body.ok) throw new Error(text);
    return this.ended(body.data.import_id as string, withinMs);
  }

  async ended(importId: string, withinMs = 30_000): Promise<ShownImport> {
    const isOver = async (): Promise<boolean> =>
      (await this.get(importId, { faults_limit: 0 })).body.data.state !== 'running';
    await eventually(isOver, withinMs, 'the import did not end');
    return (await this.get(importId)).body.data as ShownImport;
  }
}
