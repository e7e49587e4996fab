import { LedgerBuffer } from './ledger-buffer';

const entry = (to: string, outcome = 'taken', reference: string | null = null) => ({
  channel: 'waba' as const,
  sender: '77270000002',
  to,
  type: 'text',
  reference,
  template: null,
  text: null,
  outcome,
});

describe('the ledger', () => {
  it('keeps the last 100,000 entries, oldest first, with numbers that go on', () => {
    const ledger = new LedgerBuffer();
    for (let n = 1; n <= 100_003; n += 1) ledger.note(entry(`+${n}`));
    const all = ledger.list();
    expect(all).toHaveLength(100_000);
    expect([all[0]?.n, all[0]?.to, all.at(-1)?.n]).toEqual([4, '+4', 100_003]);
    expect(ledger.list({ since: 100_001 }).map(({ n }) => n)).toEqual([100_002, 100_003]);
    ledger.clear();
    ledger.note(entry('+1'));
    expect(ledger.list().map(({ n }) => n)).toEqual([100_004]);
  });

  it('counts requests and messages by phone, and names what was sent twice', () => {
    const ledger = new LedgerBuffer();
    ledger.note(entry('+1', 'refused 429', 'a'));
    ledger.note(entry('+1', 'taken', 'a'));
    ledger.note(entry('+2', 'taken', 'b'));
    ledger.note(entry('+2', 'taken, hang', 'b'));
    ledger.note({ ...entry('+1'), type: 'read' });
    expect(ledger.counts()).toEqual({
      entries: 5,
      phones: { '+1': { requests: 2, taken: 1 }, '+2': { requests: 2, taken: 2 } },
      several: ['+2'],
      doubled: ['b'],
    });
  });
});
