/** A phone of the sandbox that always gives one documented outcome. Every other phone accepts what it is sent. */
export interface MagicNumber {
  /** With its plus. The range belongs to no operator. */
  phone: string;
  name: string;
  /** What happens to a message sent to it, in a sentence. */
  happens: string;
  /**
   * The provider's number for the error on each channel. Null: the provider gives none. Absent: nothing fails, or it is
   * unknown whether the message was accepted.
   */
  code?: { waba_coexistence: number | null; waba: number | null };
}

const both = (code: number | null) => ({ waba_coexistence: code, waba: code });

/** All magic phones of the sandbox, the same on both channels. The codes are Meta's and, below 10000, Gupshup's. */
export const MAGIC_NUMBERS = [
  {
    phone: '+77005550001',
    name: 'undeliverable',
    happens: 'Taken, then failed: the phone cannot be reached.',
    code: both(131026),
  },
  {
    phone: '+77005550002',
    name: 'marketing-cap',
    happens: 'Taken, then failed: the person has had enough marketing.',
    code: both(131049),
  },
  {
    phone: '+77005550003',
    name: 'opted-out',
    happens: 'Taken, then failed: the person has stopped this business.',
    code: both(131050),
  },
  {
    phone: '+77005550004',
    name: 'experiment',
    happens: 'Taken, then failed: the person is part of an experiment.',
    code: both(130472),
  },
  {
    phone: '+77005550005',
    name: 'billing-later',
    happens: 'Taken, then failed: payment (Meta) or the prepaid wallet (Gupshup).',
    code: { waba_coexistence: 131042, waba: 1003 },
  },
  {
    phone: '+77005550006',
    name: 'billing-at-once',
    happens: 'Refused with 400 for payment; Gupshup names the wallet.',
    code: { waba_coexistence: 131042, waba: null },
  },
  {
    phone: '+77005550007',
    name: 'wrong-number',
    happens: 'Refused with 400: not a valid phone number.',
    code: { waba_coexistence: 131009, waba: null },
  },
  {
    phone: '+77005550008',
    name: 'server-error',
    happens: 'Answered with 503 (Cloud API) or 500 (Gupshup), yet taken.',
  },
  {
    phone: '+77005550009',
    name: 'server-error-not-taken',
    happens: 'Answered with 503 (Cloud API) or 500 (Gupshup), and not taken: no state ever comes.',
  },
  { phone: '+77005550010', name: 'hang', happens: 'Taken, and never answered.' },
  {
    phone: '+77005550011',
    name: 'reset',
    happens: 'Taken, and the connection is reset instead of an answer.',
  },
  { phone: '+77005550012', name: 'garbage', happens: 'Taken, and answered 200 with what is no JSON.' },
  { phone: '+77005550013', name: 'huge', happens: 'Taken, and answered 200 with 100 MB.' },
  {
    phone: '+77005550014',
    name: 'redirect',
    happens: 'Taken, and answered with a redirect; a client that follows it is in the ledger again.',
  },
  {
    phone: '+77005550015',
    name: 'without-id',
    happens: 'Taken, and answered 200 (Cloud API) or 202 (Gupshup) without an id of the message.',
  },
  {
    phone: '+77005550016',
    name: 'throttled',
    happens: 'Refused twice with 429 and Retry-After of one second, taken the third time.',
    code: { waba_coexistence: 130429, waba: null },
  },
  {
    phone: '+77005550017',
    name: 'throttled-without-time',
    happens: 'Refused twice with 400 (Cloud API) or 429 (Gupshup) without a time, taken the third time.',
    code: { waba_coexistence: 130429, waba: null },
  },
  {
    phone: '+77005550018',
    name: 'pair-limit',
    happens:
      'Too many messages to this phone, once: refused with 400 (Cloud API), taken and failed (Gupshup). Then taken.',
    code: both(131056),
  },
  {
    phone: '+77005550019',
    name: 'delivered-skipped',
    happens: 'Sent, then read: delivered is never reported.',
  },
  { phone: '+77005550020', name: 'states-reversed', happens: 'Reported read, then delivered, then sent.' },
  { phone: '+77005550021', name: 'states-doubled', happens: 'Each state is reported twice.' },
  {
    phone: '+77005550022',
    name: 'state-before-answer',
    happens: 'The state sent is reported before the request is answered.',
  },
  {
    phone: '+77005550023',
    name: 'failed-after-sent',
    happens: 'Sent, then failed.',
    code: both(131026),
  },
  { phone: '+77005550024', name: 'only-sent', happens: 'Sent; neither delivered nor read is ever reported.' },
  { phone: '+77005550025', name: 'never-read', happens: 'Sent and delivered; read is never reported.' },
  {
    phone: '+77005550026',
    name: 'opted-out-at-once',
    happens:
      'Refused with 400 (Cloud API), failed before Meta (Gupshup): the person has stopped this business.',
    code: both(131050),
  },
] as const satisfies readonly MagicNumber[];

export type MagicName = (typeof MAGIC_NUMBERS)[number]['name'];

/** A word in a customer's message that makes the demo's scripted model misbehave in one documented way. */
export interface MagicWord {
  /** Including its `#`. */
  word: string;
  /** What a customer writes, where the word takes an argument. A number may be left out. */
  example?: string;
  /** What the model does, in a sentence. */
  happens: string;
}

/** All magic words, looked for in the customer's last message. */
export const MAGIC_WORDS = [
  { word: '#hang', happens: 'Takes the request and never answers.' },
  { word: '#slow', example: '#slow 2000', happens: 'Begins to answer after that many milliseconds.' },
  { word: '#drip', happens: 'Answers with one character each two seconds.' },
  { word: '#endless', happens: 'Answers without ever coming to an end.' },
  { word: '#long', happens: 'Answers with 5,000 characters in one paragraph.' },
  { word: '#parts', example: '#parts 3', happens: 'Answers with exactly that many paragraphs, 20 at most.' },
  { word: '#error', happens: 'Refuses with 500.' },
  { word: '#busy', happens: 'Refuses with 429 and Retry-After of one second.' },
  { word: '#garbage', happens: 'Answers 200 with what is no JSON.' },
  { word: '#badtool', happens: 'Calls `move_lead` with arguments that are no JSON, then answers.' },
  { word: '#unknowntool', happens: 'Calls `launch_rocket`, which nobody offered, then answers.' },
  {
    word: '#tool',
    example: '#tool name {"argument": 1}',
    happens:
      'Calls the tool of that name with those arguments, then answers with the result, a refusal too: the first 300 characters.',
  },
  { word: '#loop', happens: 'Calls `move_lead` again and again, whatever the result.' },
] as const satisfies readonly MagicWord[];

export type MagicWordName = (typeof MAGIC_WORDS)[number]['word'];
