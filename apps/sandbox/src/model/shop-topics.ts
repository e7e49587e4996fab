/** The languages that the shop's assistant speaks. */
type Language = 'ru' | 'kk' | 'en';

/**
 * One reply as paragraphs, in each language. Only the last may be so short that it is joined with another into one
 * message. `{words}` is replaced by what the customer wrote, `{result}` by what a tool told.
 */
export type Paragraphs = Readonly<Record<Language, readonly string[]>>;

const QUOTE_MAX = 120;
/** What the service writes before a file's caption, or what was said aloud. It is not the customer's. */
const FILE_MARK = /^\[\w+(?: [0-9a-f]{8})?\] (?=\S)/gm;

/** Letters that Kazakh has and Russian has not, and the word that is written without any of them. */
const KAZAKH = /[әғқңөұүһі]|рахмет/i;

/** The language of the customer's words, without magic words. */
export function languageOf(words: string): Language {
  if (!/\p{Script=Cyrillic}/u.test(words)) return 'en';
  return KAZAKH.test(words) ? 'kk' : 'ru';
}

/** The reply in the language of the customer's words. */
export function say(paragraphs: Paragraphs, words: string, result = ''): string {
  const quote = shorten(words.replace(FILE_MARK, ''), QUOTE_MAX);
  return paragraphs[languageOf(words)]
    .map((paragraph) => paragraph.replace('{words}', () => quote).replace('{result}', () => result))
    .join('\n\n');
}

/** In one line, so that quoted text forms no separate paragraph. */
export function shorten(words: string, most: number): string {
  const line = words.replace(/\s+/g, ' ').trim();
  return line.length > most ? `${line.slice(0, most - 1).trimEnd()}…` : line;
}

/** What customers talk about, and what is said to it. The first that the customer's words match counts. */
export const TOPICS: readonly { about: RegExp; say: Paragraphs }[] = [
  {
    about: /^\[voice [0-9a-f]{8}\] (?:A voice note|An audio file)\b.* came\. /m,
    say: {
      ru: ['К сожалению, не могу прослушать это сообщение.', 'Напишите, пожалуйста, и я сразу отвечу.'],
      kk: ['Өкінішке қарай, бұл хабарды тыңдай алмаймын.', 'Жазып жіберіңізші, бірден жауап беремін.'],
      en: ['I am sorry, I cannot listen to this message.', 'Please write it, and I will answer at once.'],
    },
  },
  {
    about: /(?<!\p{L})чек(?!\p{L})|оплатил|have\s+paid|receipt|төледім/iu,
    say: {
      ru: [
        'Спасибо, чек получил! Бухгалтерия увидит поступление, и сразу после этого заказ пойдёт в работу.',
        'О каждом шаге напишу сюда.',
      ],
      kk: [
        'Рақмет, түбіртекті алдым! Бухгалтерия төлемді көрген соң тапсырыс бірден жұмысқа кетеді.',
        'Әр қадам туралы осында жазамын.',
      ],
      en: [
        'Thank you, I have the receipt! Accounting sees the payment soon, and then we go on at once.',
        'I will write to you here about each step.',
      ],
    },
  },
  {
    about: /цен|стои|скольк|почём|скидк|price|cost|how\s+much|discount|баға|қанша/i,
    say: {
      ru: [
        'Здравствуйте! Спасибо за вопрос «{words}», сейчас расскажу о ценах.',
        'Цена зависит от модели и комплектации: точную назову, когда пойму, что вам нужно.',
        'Подскажете, для чего выбираете и сколько готовы потратить?',
      ],
      kk: [
        'Сәлеметсіз бе! «{words}» деген сұрағыңызға рақмет, қазір бағаларды айтып берейін.',
        'Бағасы үлгісі мен жинағына байланысты: сізге не керегін білсем, нақтысын айтамын.',
        'Не үшін таңдап жатырсыз және қанша жұмсағыңыз келеді?',
      ],
      en: [
        'Hello! Thank you for asking “{words}”, let me tell you about our prices.',
        'The price depends on the model and what comes with it: I can name it once I know what you need.',
        'What is it for, and how much would you like to spend?',
      ],
    },
  },
  {
    about: /достав|курьер|привез|самовывоз|deliver|shipping|courier|pick\s*up|жеткіз/i,
    say: {
      ru: [
        'Отвечаю на «{words}»: по городу везём завтра с 10 до 20 часов, в другие города за три дня.',
        'Напишите адрес, и я скажу точно, когда приедет курьер.',
      ],
      kk: [
        '«{words}» дегенге жауап: қала ішінде ертең сағат 10-нан 20-ға дейін, басқа қалаларға үш күнде жеткіземіз.',
        'Мекенжайыңызды жазыңыз, курьердің қашан келетінін нақты айтамын.',
      ],
      en: [
        'To answer “{words}”: within the city we deliver tomorrow between 10:00 and 20:00, elsewhere in three days.',
        'Send me the address and I will tell you when the courier comes.',
      ],
    },
  },
  {
    about: /откры|работае|график|режим|адрес|где\s+вы|open|hours|address|where\s+are|ашық|мекенжай/i,
    say: {
      ru: [
        'Отвечаю на «{words}»: мы работаем каждый день с 10 до 21 часа, на проспекте Абая, 150.',
        'Приходите или закажите здесь, в чате.',
      ],
      kk: [
        '«{words}» дегенге жауап: біз күн сайын сағат 10-нан 21-ге дейін Абай даңғылы, 150 мекенжайындамыз.',
        'Келіңіз немесе осы чатта жазыңыз.',
      ],
      en: [
        'To answer “{words}”: we are open every day from 10:00 to 21:00, at 150 Abay Avenue.',
        'Come by, or order right here in the chat.',
      ],
    },
  },
  {
    about: /спасибо|благодар|thank|рақмет|рахмет/i,
    say: {
      ru: ['Пожалуйста! Если появятся вопросы, пишите.'],
      kk: ['Оқасы жоқ! Сұрағыңыз болса, жазыңыз.'],
      en: ['You are welcome! Write whenever you have a question.'],
    },
  },
];

export const ANYTHING: Paragraphs = {
  ru: [
    'Здравствуйте! Спасибо, что написали нам: «{words}». Сейчас разберёмся.',
    'С удовольствием расскажу о товарах, ценах и доставке и помогу оформить заказ.',
    'Что вам подсказать в первую очередь?',
  ],
  kk: [
    'Сәлеметсіз бе! Бізге жазғаныңызға рақмет: «{words}». Қазір қарап, жауап беремін.',
    'Тауарлар, бағалар мен жеткізу туралы айтып беремін, тапсырыс рәсімдеуге көмектесемін.',
    'Алдымен нені айтып берейін?',
  ],
  en: [
    'Hello! Thank you for writing to us: “{words}”. Let me see what I can do.',
    'I am glad to tell you about our goods, prices and delivery, and to take your order.',
    'What would you like to know first?',
  ],
};

export const HANDED_OVER: Paragraphs = {
  ru: ['Зову коллегу: он ответит вам здесь.'],
  kk: ['Әріптесімді шақырып жатырмын: ол сізге осы жерде жауап береді.'],
  en: ['I am calling a colleague, who will answer you here.'],
};

export const COULD_NOT: Paragraphs = {
  ru: ['Спасибо, записал! Коллега уточнит и напишет вам.'],
  kk: ['Рақмет, жазып алдым! Әріптесім нақтылап, сізге жазады.'],
  en: ['Thank you, I have noted it! A colleague will check and write to you.'],
};

export const FOUND_OUT: Paragraphs = {
  ru: ['Вот что я узнал: {result}'],
  kk: ['Мынаны білдім: {result}'],
  en: ['Here is what I found: {result}'],
};
