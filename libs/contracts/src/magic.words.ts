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
