/** What a customer of the demo wants with a line. */
export type Intent =
  | 'ask'
  | 'buy'
  | 'budget'
  | 'invoice'
  | 'paid'
  | 'thanks'
  | 'refuse'
  | 'again'
  | 'book'
  | 'broken'
  | 'fixed'
  | 'wait'
  | 'human'
  | 'stop';

export type CustomerLanguage = 'ru' | 'kk' | 'en';

/** What a customer sends: words, or a sample file of the phone with a caption. */
export type Line = string | { kind: 'image' | 'document'; caption: string };

/** What customers of one agent say, by what they want, in the languages that they speak. */
export type Lines = Partial<Record<Intent, Partial<Record<CustomerLanguage, readonly Line[]>>>>;

/** What a customer of any agent says. */
const OF_EVERYBODY = {
  thanks: {
    ru: ['Спасибо большое!', 'Спасибо, всё понятно', 'Отлично, благодарю'],
    kk: ['Рақмет сізге!', 'Көп рахмет', 'Рақмет, бәрі түсінікті'],
    en: ['Thank you!', 'Great, thank you very much', 'Thanks, that is clear'],
  },
  paid: {
    ru: ['Оплатил, проверьте, пожалуйста', { kind: 'document', caption: 'Оплатил, вот чек' }],
    kk: ['Төледім, қарап жіберіңізші', { kind: 'document', caption: 'Төледім, міне түбіртегі' }],
    en: ['I have paid just now', { kind: 'document', caption: 'I have paid, here is the receipt' }],
  },
  invoice: {
    ru: ['Хорошо, выставляйте счёт', 'Пришлите счёт, сегодня оплачу'],
    kk: ['Жақсы, шот жіберіңіз', 'Шот жіберіңізші, бүгін төлеймін'],
    en: ['Fine, send me the invoice', 'Please send the invoice, I will pay today'],
  },
  wait: {
    ru: ['Хорошо, жду', 'Вы тут?', 'Ну что там?', 'Ладно, буду ждать ответа'],
    kk: ['Жақсы, күтемін', 'Сіз осындасыз ба?', 'Жауабыңызды күтіп отырмын'],
    en: ['All right, I am waiting', 'Are you there?', 'Any news?'],
  },
  human: {
    ru: ['Можно поговорить с менеджером?', 'Позовите, пожалуйста, живого человека'],
    kk: ['Маған менеджер керек еді', 'Тірі адаммен сөйлессем бола ма?'],
    en: ['Could I talk to a real person, please?', 'I would rather talk to a human'],
  },
  stop: { ru: ['Стоп'], kk: ['Тоқта'], en: ['Stop'] },
} as const satisfies Lines;

export const SALES_LINES: Lines = {
  ...OF_EVERYBODY,
  ask: {
    ru: [
      'Здравствуйте! Сколько стоит кофемашина для дома?',
      'А есть доставка в Караганду?',
      'До скольки вы сегодня работаете?',
      'Какая модель тише?',
      'Есть ли скидка на вторую машину?',
      'Она сама промывает молочную трубку?',
      { kind: 'image', caption: 'Вот такая встанет под шкаф?' },
      'Можно посмотреть её в магазине? Где вы находитесь?',
    ],
    kk: [
      'Сәлеметсіз бе! Үйге арналған кофемашина қанша тұрады?',
      'Шымкентке жеткізесіздер ме?',
      'Бүгін сағат нешеге дейін ашық?',
      'Қай үлгісі тыныш жұмыс істейді?',
      { kind: 'image', caption: 'Осындайы бар ма, түсі қара болса?' },
      'Капучиноны өзі жасай ма?',
    ],
    en: [
      'Hello! How much is a machine for ten cups a day?',
      'Do you deliver to Astana?',
      'What are your opening hours on Sunday?',
      'Which of them is the quietest?',
      { kind: 'image', caption: 'Would one like this fit an office of twelve?' },
      'Can it do two cups at once?',
    ],
  },
  buy: {
    ru: ['Хочу купить кофемашину для дома', 'Давайте, хочу заказать ту, что с капучинатором'],
    kk: ['Үйге кофемашина сатып алғым келеді', 'Кеңсеге тапсырыс бергім келеді'],
    en: ['I want to buy a machine for our office', 'I want to order the one with the milk frother'],
  },
  budget: {
    ru: ['Бюджет до 300 тысяч, нужна к пятнице', 'Для офиса, чашек сорок в день, бюджет 450 тысяч'],
    kk: ['Бюджетім 300 мың теңге, жұмаға керек', 'Кеңсеге, күніне қырық кесе, бюджет 450 мың'],
    en: ['My budget is 300 thousand, and I need it by Friday', 'For forty cups a day; my budget is 450'],
  },
  refuse: {
    ru: ['Извините, передумал', 'Спасибо, уже не нужно'],
    kk: ['Кешіріңіз, енді керек емес'],
    en: ['Sorry, I changed my mind', 'Thanks, I no longer need it'],
  },
  again: {
    ru: [
      'Здравствуйте! Снова интересуюсь, хочу подарить такую родителям',
      'Нам нужна ещё одна, во второй офис',
    ],
    kk: ['Сәлеметсіз бе! Тағы біреуін алсақ, тағы бір кеңсеге керек'],
    en: ['Hello! I am interested again, is it still in stock?', 'We need another one for our second office'],
  },
};

export const SERVICE_LINES: Lines = {
  ...OF_EVERYBODY,
  ask: {
    ru: ['Как часто менять фильтр?', 'Сколько стоит чистка?'],
    en: ['How often should I change the filter?', 'How much is a yearly check?'],
  },
  broken: {
    ru: ['Машина не включается с утра', 'Показывает ошибку 8', { kind: 'image', caption: 'Снизу протекает' }],
    en: [
      'My machine does not heat any more',
      'It shows error 8 since this morning',
      { kind: 'image', caption: 'There is a leak at the bottom' },
    ],
  },
  fixed: {
    ru: ['Почистил, всё работает!'],
    en: ['It works again, you were right', 'Fixed, it was the filter'],
  },
  again: { ru: ['У нас ещё одна машина, нужна чистка'], en: ['I have another one that needs a service'] },
};

export const CLINIC_LINES: Lines = {
  ...OF_EVERYBODY,
  ask: {
    ru: ['Сколько стоит чистка зубов?', 'Где вы находитесь?', 'Вы работаете в субботу?'],
    kk: ['Тіс тазалау қанша тұрады?', 'Мекенжайыңызды айтып жіберіңізші'],
    en: ['How much is a cleaning?', 'Where are you, exactly?', 'Are you open on Saturday?'],
  },
  book: {
    ru: ['Запишите меня на чистку в пятницу после шести', 'Хочу записаться на осмотр'],
    kk: ['Мені жұмаға, түстен кейін жазып қойыңызшы'],
    en: ['Please book me for a check-up on Friday', 'I would like an appointment next week'],
  },
  refuse: {
    ru: ['Передумала, спасибо'],
    kk: ['Енді керек емес, рақмет'],
    en: ['I changed my mind, sorry'],
  },
  again: {
    ru: ['Здравствуйте, снова интересует осмотр'],
    kk: ['Тағы бір рет қаралу керек еді, тағы бір тісім мазалайды'],
    en: ['I need another visit, for my son this time'],
  },
};
