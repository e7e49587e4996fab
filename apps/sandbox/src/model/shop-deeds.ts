import type { Paragraphs } from './shop-topics';

/** What a customer says that moves the lead: where to, and what the customer reads then. */
export interface Deed {
  about: RegExp;
  /** The stage: of those that the tool offers the nth, or the first whose name matches. */
  to: number | RegExp;
  say: Paragraphs;
}

/** The customer wants to buy: at once to the second stage, wherever the lead stands. */
export const BUYS: Deed = {
  about:
    /хочу\s+купить|хочу\s+заказать|оформ\S*\s+заказ|want\s+to\s+(buy|order)|i'll\s+take|сатып\s+алғым|тапсырыс\s+бергім/i,
  to: 1,
  say: {
    ru: [
      'Отлично, оформляем заказ! Я отметил у себя, что вы готовы сделать покупку.',
      'Напишите, пожалуйста, адрес и удобное время доставки.',
    ],
    kk: [
      'Тамаша, тапсырысты рәсімдейміз! Сатып алуға дайын екеніңізді белгілеп қойдым.',
      'Мекенжайыңыз бен жеткізуге ыңғайлы уақытты жазыңызшы.',
    ],
    en: [
      'Great, let us place your order! I have noted that you are ready to buy from us.',
      'Please send the address and a good time for delivery.',
    ],
  },
};

/** In a funnel that has no such stage, and of a lead that stands there, they are only talked about. */
export const FURTHER_DEEDS: readonly Deed[] = [
  {
    about: /выстав\S*\s+сч[её]т|пришлите\s+сч[её]т|send\s+(me\s+)?(the|an)\s+invoice|шот\s+жібер/i,
    to: /ожидает\s+оплат|invoice/i,
    say: {
      ru: [
        'Выставляю счёт: он придёт сюда в течение нескольких минут, оплатить можно картой или переводом.',
        'Как только деньги поступят, начнём собирать заказ.',
      ],
      kk: [
        'Шот жіберемін: ол бірнеше минутта осында келеді, картамен немесе аударыммен төлеуге болады.',
        'Ақша түскен соң тапсырысты жинай бастаймыз.',
      ],
      en: [
        'I am sending the invoice: it arrives here within minutes, and can be paid by card or by transfer.',
        'Once the money is here, we go on at once.',
      ],
    },
  },
  {
    about: /бюджет|my\s+budget|up\s+to\s+\d+\s*k\b/i,
    to: /квалиф|qualified/i,
    say: {
      ru: [
        'Спасибо, теперь понятно, что вам подойдёт: в этих деньгах есть три хорошие модели.',
        'Показать их или сразу выставить счёт на ту, что берут чаще?',
      ],
      kk: [
        'Рақмет, енді сізге не лайық екені түсінікті: осы ақшаға үш жақсы үлгі бар.',
        'Оларды көрсетейін бе, әлде шот жіберейін бе?',
      ],
      en: [
        'Thank you, now I see what suits you: there are three good models for that money.',
        'Shall I show them, or send the invoice for the one that most people take?',
      ],
    },
  },
  {
    about: /передумал|уже\s+не\s+нужн|changed\s+my\s+mind|no\s+longer\s+need|керек\s+емес/i,
    to: /отказ|lost/i,
    say: {
      ru: [
        'Понимаю, спасибо, что сказали! Заявку закрываю, чтобы вас больше не беспокоить.',
        'Если снова понадобимся, просто напишите сюда.',
      ],
      kk: [
        'Түсінікті, айтқаныңызға рақмет! Сізді мазаламас үшін өтінімді жабамын.',
        'Қайта керек болсақ, осында жаза салыңыз.',
      ],
      en: [
        'I understand, thank you for telling me! I am closing your request, so that nobody bothers you.',
        'If you need us again, just write here.',
      ],
    },
  },
  {
    about: /ещё\s+одн|снова\s+интерес|another\s+(one|visit)|interested\s+again|тағы\s+бір/i,
    to: 0,
    say: {
      ru: [
        'Рады снова вас видеть! Открываю новую заявку, чтобы ничего не перепутать.',
        'Расскажите, пожалуйста, что нужно на этот раз и к какому сроку.',
      ],
      kk: [
        'Сізді қайта көргенімізге қуаныштымыз! Шатаспас үшін жаңа өтінім ашамын.',
        'Бұл жолы не керек және қай уақытқа, жазыңызшы.',
      ],
      en: [
        'It is good to hear from you again! I am opening a new request, so that nothing gets mixed up.',
        'Tell me, please, what you need this time, and by when.',
      ],
    },
  },
  {
    about: /запиш\S+\s+меня|записаться|book\s+(me|a\s+visit)|an\s+appointment|жазып\s+қой/i,
    to: /booked/i,
    say: {
      ru: [
        'Записываю вас! Накануне пришлём сюда, в чат, напоминание с адресом и временем.',
        'Если планы изменятся, напишите, и мы перенесём.',
      ],
      kk: [
        'Сізді жазып қоямын! Бір күн бұрын осы чатқа мекенжайы мен уақыты бар еске салу келеді.',
        'Жоспарыңыз өзгерсе, жазыңыз, ауыстырамыз.',
      ],
      en: [
        'You are booked! The day before, a reminder comes here with the address and the time.',
        'If your plans change, write to us and we move it.',
      ],
    },
  },
  {
    about: /починили|всё\s+работает|works\s+(again|now)|fixed|қайта\s+істе/i,
    to: /solved/i,
    say: {
      ru: [
        'Отлично, рад, что всё получилось! Отмечаю, что вопрос решён, и закрываю обращение.',
        'Если что-то повторится, пишите сюда же.',
      ],
      kk: [
        'Керемет, бәрі дұрыс болғанына қуаныштымын! Мәселе шешілді деп белгілеймін.',
        'Қайталанса, осында жазыңыз.',
      ],
      en: [
        'Great, I am glad that it worked out! I am noting that this is solved, and closing the request.',
        'If it happens again, write right here.',
      ],
    },
  },
  {
    about: /не\s+включается|протека|показывает\s+ошибк|leak|error\s+\d|does\s+not\s+(start|heat)|істемей/i,
    to: /in\s+progress/i,
    say: {
      ru: [
        'Понял, принимаю в работу: мастер посмотрит историю вашей машины и скажет, что делать.',
        'Напишите, пожалуйста, модель и что она показывает.',
      ],
      kk: [
        'Түсіндім, жұмысқа аламын: шебер машинаңыздың тарихын қарап, не істеу керегін айтады.',
        'Үлгісін және не көрсетіп тұрғанын жазыңызшы.',
      ],
      en: [
        'I see, we are on it: a technician looks at the history of your machine and says what to do.',
        'Please tell me the model, and what it shows.',
      ],
    },
  },
];
