/** The actor of most examples. */
export const KEY = {
  type: 'key',
  id: '01930000-0000-7000-8008-000000000001',
  name: 'Accounting system',
} as const;

/** What the examples have where they say nothing else: events of the demo's first agent. */
const USUAL = {
  account_id: '01930000-0000-7000-8001-000000000001',
  event_id: '',
  seq: 0 as number | null,
  thread_id: null as string | null,
  version: null as number | null,
  assistant_id: '01930000-0000-7000-8002-000000000001' as string | null,
  bot_id: '01930000-0000-7000-8003-000000000001' as string | null,
  channel: 'WABA_COEXISTENCE' as string | null,
  phone: null as string | null,
  customer: null as object | null,
  actor: null as object | null,
  cause: null as object | null,
  request_id: null as string | null,
};

/** An event without its type. */
export interface ToldExample {
  timestamp: string;
  data: typeof USUAL & Record<string, unknown>;
}

/** A customer who is known by the phone alone. */
const customerWith = (phone: string): object => ({
  ...{ phone, wa_id: phone.slice(1), user_id: null, username: null, phone_proven: false },
});

/** An example of an event: when it happened, in what of all events' facts it differs from the usual, and what its type has. */
export const toldAt = (
  timestamp: string,
  facts: Partial<typeof USUAL> & Pick<typeof USUAL, 'event_id' | 'seq'>,
  own: object,
): ToldExample => ({
  timestamp,
  data: { ...USUAL, ...facts, customer: facts.phone ? customerWith(facts.phone) : null, ...own },
});

/** An example of each event about a lead, as the page about receiving events shows it. */
export const LEAD_EVENTS = {
  'lead.created': toldAt(
    '2026-11-26T21:02:47.270Z',
    {
      ...{ event_id: '9f808bf8-818f-8aa5-afe6-a22f4cce54e6', seq: 54 },
      ...{ thread_id: 'thread_01a219ab-01d0-7c68-b009-e2ed7c8fa2ef', version: 1, phone: '+77015558001' },
    },
    { by: 'USER', customer_name: 'Салтанат' },
  ),
  'lead.status_changed': toldAt(
    '2026-11-26T21:12:50.037Z',
    {
      ...{ event_id: '9d2563d2-fb80-8d1b-88ae-297b3afbcf4b', seq: 9 },
      ...{ thread_id: 'thread_01930000-0000-7000-8005-000000000018', version: 3, phone: '+77015551024' },
      ...{ actor: KEY, request_id: '01a219b4-346a-71cb-9648-d7cc140a6e7b' },
    },
    {
      from: { id: '01930000-0000-7000-8004-000000000002', name: 'В работе', kind: 'active', order: 2 },
      to: { id: '01930000-0000-7000-8004-000000000001', name: 'Новая заявка', kind: 'active', order: 1 },
      by: 'SYSTEM',
    },
  ),
  'lead.ai_switched': toldAt(
    '2026-11-26T21:02:47.086Z',
    {
      ...{ event_id: 'b9734460-af9d-8d0e-95e5-f939d1eff9e2', seq: 38 },
      ...{ thread_id: 'thread_01930000-0000-7000-8005-000000000014', version: 3, channel: 'WABA' },
      ...{ phone: '+77015551020', actor: KEY, request_id: '01a219ab-0129-702f-8cef-708373bc7260' },
    },
    { from: true, to: false, by: 'SYSTEM' },
  ),
  'lead.handler_changed': toldAt(
    '2026-11-26T21:02:47.164Z',
    {
      ...{ event_id: '11dc2989-a573-8f9a-9b3e-1a69208f4d69', seq: 45 },
      ...{ thread_id: 'thread_01930000-0000-7000-8005-00000000000b', version: 3, phone: '+77015551011' },
      ...{ actor: KEY, request_id: '01a219ab-016d-7dd6-8412-10c4840514aa' },
    },
    { from: 'AI', to: 'OPERATOR', by: 'OPERATOR' },
  ),
  'lead.opted_out': toldAt(
    '2026-11-26T21:02:47.152Z',
    {
      ...{ event_id: '52f4415b-93aa-8da4-9e28-41f19aff307b', seq: 42 },
      ...{ thread_id: 'thread_01930000-0000-7000-8005-000000000012', version: 12, phone: '+77015551018' },
    },
    { from: false, to: true, by: 'USER' },
  ),
  'lead.assigned': toldAt(
    '2026-11-26T21:02:47.116Z',
    {
      ...{ event_id: '7837b0db-0b4c-83cd-a52b-a23139968a81', seq: 40 },
      ...{ thread_id: 'thread_01930000-0000-7000-8005-000000000014', version: 5, channel: 'WABA' },
      ...{ phone: '+77015551020', actor: KEY, request_id: '01a219ab-0149-728c-8abb-096b541102dd' },
    },
    { from: null, to: { id: '01930000-0000-7000-8015-000000000002', name: 'Marat' }, by: 'SYSTEM' },
  ),
  'lead.renamed': toldAt(
    '2026-11-26T21:02:47.356Z',
    {
      ...{ event_id: '469c7d10-34ae-8944-b70d-65585c7abfb6', seq: 59 },
      ...{ thread_id: 'thread_01a219ab-0229-75d9-b4aa-da00e519a2fc', version: 3, phone: '+77015558002' },
      ...{ actor: KEY, request_id: '01a219ab-01ec-7129-af77-ed79ddca4033' },
    },
    { from: null, to: 'Аида', by: 'SYSTEM' },
  ),
  'lead.attention': toldAt(
    '2026-11-26T21:12:50.927Z',
    {
      ...{ event_id: '337b693d-a6c5-846c-8bd2-4f81ee3a3370', seq: 21 },
      ...{ thread_id: 'thread_01a219b4-3370-7c92-9b6a-420379a94b0c', version: 6, phone: '+77015558003' },
      actor: { type: 'agent', id: '01930000-0000-7000-8002-000000000001', name: 'Sales agent' },
    },
    {
      ...{ from: null, to: 'hand_over', by: 'AI' },
      note: 'The customer asks for a person: Здравствуйте! Позовите человека: оператор',
    },
  ),
};
