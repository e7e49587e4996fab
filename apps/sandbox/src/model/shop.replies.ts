import { record, text } from '../http/json.answer';
import { lastWords, toldByTools, type ChatRequest } from './chat.request';
import type { WrittenCall } from './model.reply';

/**
 * The replies of a shop's assistant, as paragraphs. Only the last may be so short that it is joined with another into
 * one message.
 */
export interface Speech {
  text: string;
  calls?: readonly WrittenCall[];
}

type Language = 'ru' | 'en';
type Paragraphs = Readonly<Record<Language, readonly string[]>>;

const QUOTE_MAX = 120;
const RESULT_MAX = 300;
const FAILED = /"ok"\s*:\s*false|error|refus|reject|not allowed|cannot|locked|fail|ошибк|нельзя|отказ/i;

const WANTS_TO_BUY = /хочу\s+купить|хочу\s+заказать|оформ\S*\s+заказ|want\s+to\s+(buy|order)|i'll\s+take/i;
const WANTS_A_HUMAN = /оператор|менеджер|живо\S+\s+человек|с\s+человеком|operator|human|real\s+person/i;

/** The first topic that the customer's words match. `{words}` is replaced by what was written. */
const TOPICS: readonly { about: RegExp; say: Paragraphs }[] = [
  {
    about: /цен|стои|скольк|почём|скидк|price|cost|how\s+much|discount/i,
    say: {
      ru: [
        'Здравствуйте! Спасибо за вопрос «{words}», сейчас расскажу о ценах.',
        'Цена зависит от модели и комплектации: точную назову, когда пойму, что вам нужно.',
        'Подскажете, для чего выбираете и сколько готовы потратить?',
      ],
      en: [
        'Hello! Thank you for asking “{words}”, let me tell you about our prices.',
        'The price depends on the model and what comes with it: I can name it once I know what you need.',
        'What is it for, and how much would you like to spend?',
      ],
    },
  },
  {
    about: /достав|курьер|привез|самовывоз|deliver|shipping|courier|pick\s*up/i,
    say: {
      ru: [
        'Отвечаю на «{words}»: по городу везём завтра с 10 до 20 часов, в другие города за три дня.',
        'Напишите адрес, и я скажу точно, когда приедет курьер.',
      ],
      en: [
        'To answer “{words}”: within the city we deliver tomorrow between 10:00 and 20:00, elsewhere in three days.',
        'Send me the address and I will tell you when the courier comes.',
      ],
    },
  },
  {
    about: /откры|работае|график|режим|адрес|где\s+вы|open|hours|address|where\s+are/i,
    say: {
      ru: [
        'Отвечаю на «{words}»: мы работаем каждый день с 10 до 21 часа, на проспекте Абая, 150.',
        'Приходите или закажите здесь, в чате.',
      ],
      en: [
        'To answer “{words}”: we are open every day from 10:00 to 21:00, at 150 Abay Avenue.',
        'Come by, or order right here in the chat.',
      ],
    },
  },
  {
    about: /спасибо|благодар|thank/i,
    say: {
      ru: ['Пожалуйста! Если появятся вопросы, пишите.'],
      en: ['You are welcome! Write whenever you have a question.'],
    },
  },
];

const ANYTHING: Paragraphs = {
  ru: [
    'Здравствуйте! Спасибо, что написали нам: «{words}». Сейчас разберёмся.',
    'С удовольствием расскажу о товарах, ценах и доставке и помогу оформить заказ.',
    'Что вам подсказать в первую очередь?',
  ],
  en: [
    'Hello! Thank you for writing to us: “{words}”. Let me see what I can do.',
    'I am glad to tell you about our goods, prices and delivery, and to take your order.',
    'What would you like to know first?',
  ],
};

const MOVED: Paragraphs = {
  ru: [
    'Отлично, оформляем заказ! Я отметил у себя, что вы готовы сделать покупку.',
    'Напишите, пожалуйста, адрес и удобное время доставки.',
  ],
  en: [
    'Great, let us place your order! I have noted that you are ready to buy from us.',
    'Please send the address and a good time for delivery.',
  ],
};
const HANDED_OVER: Paragraphs = {
  ru: ['Зову коллегу: он ответит вам здесь.'],
  en: ['I am calling a colleague, who will answer you here.'],
};
const COULD_NOT: Paragraphs = {
  ru: ['Спасибо, записал! Коллега уточнит и напишет вам.'],
  en: ['Thank you, I have noted it! A colleague will check and write to you.'],
};
const FOUND_OUT: Paragraphs = { ru: ['Вот что я узнал: {result}'], en: ['Here is what I found: {result}'] };

/** The replies of the demo's shop assistant. The same conversation always gets the same reply. */
export function replyAsShop(request: ChatRequest): Speech {
  const words = lastWords(request);
  const told = toldByTools(request).at(-1);
  if (told !== undefined) return { text: answerTold(request, words, told) };
  const calls = callsFor(request, words);
  if (calls.length > 0) return { text: '', calls };
  const topic = TOPICS.find(({ about }) => about.test(words));
  return { text: say(topic?.say ?? ANYTHING, words) };
}

/** What the customer reads after a tool was called. */
function answerTold(request: ChatRequest, words: string, told: string): string {
  if (WANTS_A_HUMAN.test(words) && !WANTS_TO_BUY.test(words)) return say(HANDED_OVER, words);
  if (FAILED.test(told)) return say(COULD_NOT, words);
  if (WANTS_TO_BUY.test(words)) return say(MOVED, words);
  return sayFound(request);
}

/** The last tool's result, even a refusal, in one line: the first 300 characters. */
export function sayFound(request: ChatRequest): string {
  return say(FOUND_OUT, lastWords(request), shorten(toldByTools(request).at(-1) ?? '', RESULT_MAX));
}

function callsFor(request: ChatRequest, words: string): WrittenCall[] {
  const offers = (name: string): boolean => request.tools.some((tool) => tool.name === name);
  if (WANTS_TO_BUY.test(words) && offers('move_lead'))
    return [{ name: 'move_lead', arguments: JSON.stringify({ status_id: stageOf(request) }) }];
  if (WANTS_A_HUMAN.test(words) && offers('hand_over'))
    return [
      {
        name: 'hand_over',
        arguments: JSON.stringify({ reason: `The customer asks for a person: ${words}` }),
      },
    ];
  return [];
}

/** The stage for `move_lead`: the second one, or the nth for a model that keeps moving. */
export function stageOf({ tools }: ChatRequest, nth = 1): string {
  const schema = tools.find(({ name }) => name === 'move_lead')?.parameters;
  const values = record(record(schema?.properties)?.status_id)?.enum;
  const ids = Array.isArray(values) ? values.filter((id) => text(id) !== null) : [];
  return String(ids[Math.min(nth, ids.length - 1)] ?? '');
}

/** The language of the customer's words, without magic words. */
export const languageOf = (words: string): Language => (/\p{Script=Cyrillic}/u.test(words) ? 'ru' : 'en');

function say(paragraphs: Paragraphs, words: string, result = ''): string {
  const quote = shorten(words, QUOTE_MAX);
  return paragraphs[languageOf(words)]
    .map((paragraph) => paragraph.replace('{words}', () => quote).replace('{result}', () => result))
    .join('\n\n');
}

/** In one line, so that quoted text forms no separate paragraph. */
function shorten(words: string, most: number): string {
  const line = words.replace(/\s+/g, ' ').trim();
  return line.length > most ? `${line.slice(0, most - 1).trimEnd()}…` : line;
}
