import answers from '../recordings/model-answers.json';
import { DONE, event, saying } from './completion.script';

/** What a server sends for one text, byte for byte, and what of it is for the customer. */
export interface ModelFamily {
  /** The server or the model, and what is special. */
  of: string;
  /** Where it is known from. */
  from: string;
  /** The whole body of the answer. */
  body: string;
  /** Other than `text/event-stream`. */
  type?: string;
  /** Empty: it only calls. */
  text: string;
  /** The arguments of the calls of `note`, each executed once. */
  calls?: unknown[];
}

/** As recorded: its text or the deltas of its stream with what comes before them, or its whole body. */
interface Recorded extends Omit<ModelFamily, 'body'> {
  before?: string;
  content?: string;
  deltas?: object[];
  finish?: string;
  body?: string;
}

function bodyOf({ before = '', content, deltas = [], finish = 'stop', body }: Recorded): string {
  if (body !== undefined) return body;
  if (content !== undefined) return before + saying(content, finish);
  return before + deltas.map((delta) => event(delta)).join('') + event({}, finish) + DONE;
}

/** How servers answer that call themselves compatible with OpenAI's. */
export const MODEL_FAMILIES: readonly ModelFamily[] = (answers as Recorded[]).map((recorded) => ({
  ...recorded,
  body: bodyOf(recorded),
}));
