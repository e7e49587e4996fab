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
