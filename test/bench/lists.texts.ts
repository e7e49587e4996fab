/** Words of messages by language, the frequent ones first, and names of customers. */
interface Language {
  words: readonly string[];
  /** Of which names of goods are made, so that there are rare words too. */
  syllables: readonly string[];
  firstNames: readonly string[];
  lastNames: readonly string[];
}

const RUSSIAN: Language = {
  words:
    'здравствуйте добрый день заказ доставка можно когда сколько стоит спасибо пожалуйста хорошо нужно завтра сегодня оплата размер цвет адрес улица дом квартира курьер время после вечером утром цена скидка товар наличии магазин возврат обмен гарантия чек карта перевод номер позвоните напишите подскажите интересует хочу купить подарок ребёнку жене мужу срочно быстро долго жду ответа менеджер консультация склад привезите заберу самовывоз город Алматы Астана Шымкент упаковка качество отлично плохо сломалось ремонт инструкция подошёл большой маленький красный синий чёрный белый последний новый акция'.split(
      ' ',
    ),
  syllables: 'ка ро ми ла ве ту са ни го ре до лю за бе ко ша пи ну ря мо'.split(' '),
  firstNames: 'Анна Ольга Елена Наталья Мария Иван Сергей Дмитрий Алексей Пётр Юлия Артём'.split(' '),
  lastNames: 'Иванова Петрова Смирнов Кузнецов Попов Соколова Лебедев Морозов Волкова Зайцев'.split(' '),
};

const KAZAKH: Language = {
  words:
    'сәлеметсіз бе тапсырыс жеткізу қашан қанша тұрады рахмет өтінемін жақсы керек ертең бүгін төлем өлшем түс мекенжай көше үй пәтер курьер уақыт кейін кешке таңертең баға жеңілдік тауар бар дүкен қайтару айырбастау кепілдік чек карта аударым нөмір хабарласыңыз жазыңыз айтыңызшы қызықтырады сатып алғым келеді сыйлық балаға тез күтемін жауап менеджер кеңес қойма әкеліңіз өзім аламын қала Алматы Астана Шымкент сапа керемет жаман сынды жөндеу нұсқаулық үлкен кішкентай қызыл көк қара ақ соңғы жаңа ұсыныс ғой ңұсқа һәм'.split(
      ' ',
    ),
  syllables: 'қа ғы ше ңі әл өр үн ұл ба те жо сы ма ке ды ты рі ас'.split(' '),
  firstNames: 'Айгүл Нұрлан Әсел Дәулет Гүлнұр Қайрат Жанар Ерлан Мәдина Санжар Әлия Бауыржан'.split(' '),
  lastNames: 'Серікқызы Әбдірахман Қасымов Нұрғалиев Жұмабаев Оспанова Төлеген Ахметов Сейітқали'.split(' '),
};

const ENGLISH: Language = {
  words:
    'hello good afternoon order delivery when how much please thanks okay need tomorrow today payment size colour address street house courier time after evening morning price discount item available shop return exchange warranty receipt card transfer number call write tell interested want buy present child wife husband urgent quick waiting answer manager advice store bring pickup city Almaty Astana packing quality great bad broken repair manual fits large small red blue black white last new offer'.split(
      ' ',
    ),
  syllables: 'ka ro mi la ve tu sa ni go re do lu za be ko sha pi nu rya mo'.split(' '),
  firstNames: 'Anna Olga Helen Mary John Peter Alex Julia Thomas Emma'.split(' '),
  lastNames: 'Smith Brown Taylor Wilson Evans Walker Green Hughes Edwards'.split(' '),
};

/** Two messages of three are Russian, as with businesses in Kazakhstan. */
const LANGUAGES = [RUSSIAN, KAZAKH, RUSSIAN, ENGLISH, RUSSIAN, RUSSIAN];

const WORDS_LEAST = 3;
const WORDS_MOST = 14;
/** One word of so many is the name of an article. */
const ARTICLE_EVERY = 12;

/** Numbers that are the same in each run (mulberry32). */
export function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Different messages, in three languages and two alphabets. Few words are frequent, many are rare. */
export function messageTexts(count: number): string[] {
  const random = numbersFrom(1);
  return Array.from({ length: count }, (_, n) =>
    sentence(LANGUAGES[n % LANGUAGES.length] ?? RUSSIAN, random),
  );
}

/** First names with last names of the same language. */
export function customerNames(): string[] {
  return LANGUAGES.flatMap(({ firstNames, lastNames }) =>
    firstNames.flatMap((first) => lastNames.map((last) => `${first} ${last}`)),
  );
}

function sentence(language: Language, random: () => number): string {
  const length = WORDS_LEAST + Math.floor(random() * (WORDS_MOST - WORDS_LEAST));
  const words = Array.from({ length }, () => word(language, random)).join(' ');
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}${random() < 0.5 ? '?' : '.'}`;
}

function word({ words, syllables }: Language, random: () => number): string {
  if (random() * ARTICLE_EVERY < 1)
    return Array.from({ length: 3 }, () => syllables[Math.floor(random() * syllables.length)]).join('');
  return words[Math.floor(random() ** 2 * words.length)] ?? '';
}
