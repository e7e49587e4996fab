import { record, text } from '../http/json.answer';
import { lastWords, toldByTools, type ChatRequest } from './chat.request';
import type { WrittenCall } from './model-reply';
import { BUYS, FURTHER_DEEDS, type Deed } from './shop-deeds';
import { ANYTHING, COULD_NOT, FOUND_OUT, HANDED_OVER, TOPICS } from './shop-topics';
import { say, shorten } from './shop.words';

/** A reply of the shop's assistant. */
export interface Speech {
  text: string;
  calls?: readonly WrittenCall[];
}

const RESULT_MAX = 300;
const FAILED = /"ok"\s*:\s*false|error|refus|reject|not allowed|cannot|locked|fail|ошибк|нельзя|отказ/i;

const WANTS_A_HUMAN =
  /оператор|менеджер|живо\S+\s+человек|с\s+человеком|operator|human|real\s+person|адаммен/i;

/** A line of the instructions: a stage's id, and its name before what is said of it. */
const STAGE_LINE = /^- ([\w-]+): ([^\n(]*)/gm;
const STANDS_AT = /^The lead stands at ([\w-]+)\.$/m;

/** The replies of the demo's shop assistant. The same conversation always gets the same reply. */
export function replyAsShop(request: ChatRequest): Speech {
  const words = lastWords(request);
  const told = toldByTools(request).at(-1);
  if (told !== undefined) return { text: answerTold(request, words, told) };
  const calls = callsFor(request, words);
  if (calls.length > 0) return { text: '', calls };
  const topic = [...FURTHER_DEEDS, ...TOPICS].find(({ about }) => about.test(words));
  return { text: say(topic?.say ?? ANYTHING, words) };
}

/** What the customer reads after a tool was called. */
function answerTold(request: ChatRequest, words: string, told: string): string {
  if (WANTS_A_HUMAN.test(words) && !BUYS.about.test(words)) return say(HANDED_OVER, words);
  if (FAILED.test(told)) return say(COULD_NOT, words);
  const deed = deedOf(words);
  return deed ? say(deed.say, words) : sayFound(request);
}

/** The last tool's result, even a refusal, in one line: the first 300 characters. */
export function sayFound(request: ChatRequest): string {
  return say(FOUND_OUT, lastWords(request), shorten(toldByTools(request).at(-1) ?? '', RESULT_MAX));
}

const deedOf = (words: string): Deed | undefined =>
  [BUYS, ...FURTHER_DEEDS].find(({ about }) => about.test(words));

function callsFor(request: ChatRequest, words: string): WrittenCall[] {
  const offers = (name: string): boolean => request.tools.some((tool) => tool.name === name);
  if (WANTS_A_HUMAN.test(words) && offers('hand_over') && !(BUYS.about.test(words) && offers('move_lead')))
    return [
      {
        name: 'hand_over',
        arguments: JSON.stringify({ reason: `The customer asks for a person: ${words}` }),
      },
    ];
  const deed = deedOf(words);
  const statusId = deed && offers('move_lead') ? targetOf(request, deed) : null;
  return statusId === null ? [] : [{ name: 'move_lead', arguments: JSON.stringify({ status_id: statusId }) }];
}

/** Where the deed moves the lead; null: nowhere. */
function targetOf(request: ChatRequest, deed: Deed): string | null {
  if (deed === BUYS) return stageOf(request);
  const instructions = request.messages.find(({ role }) => role === 'system')?.text ?? '';
  const named = [...instructions.matchAll(STAGE_LINE)].find(
    ([, , name = '']) => deed.to instanceof RegExp && deed.to.test(name),
  )?.[1];
  const target = typeof deed.to === 'number' ? stageOf(request, deed.to) : named;
  const isThere = STANDS_AT.exec(instructions)?.[1] === target;
  return target && !isThere && offeredStages(request).includes(target) ? target : null;
}

/** The stage for `move_lead`: the second one, or the nth for a model that keeps moving. */
export function stageOf(request: ChatRequest, nth = 1): string {
  const ids = offeredStages(request);
  return ids[Math.min(nth, ids.length - 1)] ?? '';
}

function offeredStages({ tools }: ChatRequest): string[] {
  const schema = tools.find(({ name }) => name === 'move_lead')?.parameters;
  const values = record(record(schema?.properties)?.status_id)?.enum;
  return Array.isArray(values) ? values.filter((id) => text(id) !== null).map(String) : [];
}
