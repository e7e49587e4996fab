import { dictionary } from '@zxcvbn-ts/language-common';
import { foldEmail } from './person.rules';

/**
 * What people who write Russian or Kazakh take for a password first, besides the words that the list of leaks has as they
 * are typed on Latin keys (`gfhjkm`). Of five letters and more: shorter ones are too small a part of any password. With
 * е for ё.
 */
const COMMON_CYRILLIC_WORDS = `
  абвгд абвгде абракадабра админ айбек айгерим айгерім айгүл айдана айдар айдос айжан айналайын айнур
  айнұр айсулу акерке акжол актау актобе ақерке ақтөбе алена алеша алибек алина алихан алишер аллах
  алмаз алмата алматы алтын алтынай алтыным аминь андрюша антоха анюта арбуз арина арман армия арсен
  арсенал арслан артем артур аружан асель астана асхат атамекен атырау ахмет аяулым бабочка бабушка
  бақыт бақытты балам балапан балжан банан бандит барселона барыс бауржан бауыржан бахыт бекзат
  беларусь белый берик бизнес богатство богатый богдан болат борис братан братик бриллиант
  буратино бухгалтер вадик вадим ванюша весна ветер ветеран вишня влада война волчонок воскресенье
  впусти вторник входнет гангстер господи господь гость гриша гульмира гүлнар давид даниал данил
  данияр дархан даурен дашка двадватри дваодин дверь декабрь демон денег денежка десант диана диляра
  димка днепр дождь домик дочка дочурка дружба дурак дурачок дьявол единственная единственный
  екатеринбург ерасыл ержан ерлан ермек жанар жандос жанна жансая жаным жанымсың желтый жемчуг женис
  жизнь жизньпрекрасна жүрегім забыл забылпароль зайка замок захар здравствуйте земля зенит золотой
  идиот иисус илюша индира казах казахи казахстан кайрат канат катюша класс классно клубника клубничка
  козел компания корабль костанай костя котик красная крутая круто ксюша күнім кызылорда кыргызстан
  қазақ қазақстан қайрат қанат қарағанды құпия құпиясөз лаура лимон логин лучшая лучший любима любимая
  любимый люблю люблюмаму люблюсебя люблютебя любовь любовьморковь магжан мадина мадияр мазда малыш
  малышок мамалюблю мансур марал маржан махаббат машинка машка медвежонок менеджер менсенісүйемін
  меруерт мечта миллионер мирас михаил мишка многоденег мотоцикл моялюбовь мурат мұрат мышка надежда
  назгуль назерке настюша нафиг незабуду незнаюпароль ниссан новосибирск ноябрь нурбол нургуль
  нурлан нурсултан нұрлан нұрсұлтан огонь одесса одиндва одиндватри одинокая одиноква одинокий океан
  октябрь олжас осень открой откройсезам отлично отстань павел павлодар паролик пашка перизат
  петербург питер победа пожалуйста поцелуй прекрасная принц продажи птица пусти работа
  разватри рақмет рамазан рахат рахмет ребенок ромашки россиявперед руссия рыбка сабина салам салем
  салтанат самал самая самаялучшая самыйлучший санжар санктпетербург сауле сашка сәлем сәуле свобода
  сезам семья сентябрь серебро серебряный сережа серик серік сестренка сибирь синий слава снежинка
  собака собачка сокол солдат солнечный софия софья спасибо спецназ среда степа суббота судьба султан
  супер суперзвезда суперстар сүйемін сұлтан счастлива сынок тайна танцы танюша тараз ташкент
  тебялюблю темирлан тигра тимур толик толян томирис томск тулпар убийца удача узбекистан улжан улпан
  учеба федор футбол хакер хоккей хонда хорошо христос цветы чебурашка челябинск чемпионы черепаха
  четверг школа школьник шымкент шынгыс шыңғыс эдуард эльвира эмилия юляша яблоко яблочко якрутой
  ялучший ялюблютебя ясамая ятебялюблю яхороший
`
  .trim()
  .split(/\s+/);

const PASSWORD_LENGTH_MIN = 10;
export const PASSWORD_LENGTH_MAX = 200;
/** A shorter local part, such as "ann", is in too many words. */
const LOCAL_PART_MIN = 4;

/**
 * The commonest passwords of leaks, in small letters, and what else comes to mind first here. They are unpacked when somebody
 * chooses a password: that takes 35 ms, a twentieth of a start.
 */
let common: ReadonlySet<string> | undefined;
const commonPasswords = (): ReadonlySet<string> =>
  (common ??= new Set([...dictionary['passwords-common'], ...COMMON_CYRILLIC_WORDS, 'leadline']));

/** The same keys, in the Russian layout and in the English one. */
const CYRILLIC_KEYS = 'йцукенгшщзхъфывапролджэячсмитьбюё';
const LATIN_KEYS = "qwertyuiop[]asdfghjkl;'zxcvbnm,.`";
/** Longer patterns are nobody's first guess. */
const PATTERN_LENGTH_MAX = 24;
const REPEATED_LENGTH_MAX = 8;
const RUN_LENGTH_MIN = 3;

/** What fingers write along a keyboard, and what follows in counting and in the alphabet. */
const ROWS = [
  ...['0123456789', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm', 'abcdefghijklmnopqrstuvwxyz'],
  ...['йцукенгшщзхъ', 'фывапролджэ', 'ячсмитьбю'],
  ...['абвгдеёжзийклмнопрстуфхцчшщъыьэюя', 'абвгдежзийклмнопрстуфхцчшщъыьэюя'],
];
/** Each twice, so that 7890123 is one, and backwards too. */
const RUNS = ROWS.map((row) => row + row).flatMap((row) => [row, [...row].reverse().join('')]);

/** What is wrong with a new password, whoever chooses it; null when it may be used. It is used as it is, blanks too. */
export function passwordViolation(password: string): string | null {
  // Characters as people count them: an emoji is one.
  const { length } = [...password];
  if (length < PASSWORD_LENGTH_MIN || length > PASSWORD_LENGTH_MAX)
    return `must have ${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters`;
  const folded = fold(password);
  const typed = [
    folded,
    typedOn(CYRILLIC_KEYS, LATIN_KEYS, folded),
    typedOn(LATIN_KEYS, CYRILLIC_KEYS, folded),
  ];
  return typed.some(isCommon) ? 'is one of the commonest passwords: choose another' : null;
}

/** Whether a password has the address of its person in it, or the part before the @. */
export function holdsAddress(password: string, email: string): boolean {
  const address = foldEmail(email);
  const local = address.slice(0, address.lastIndexOf('@'));
  const folded = fold(password);
  return folded.includes(address) || (local.length >= LOCAL_PART_MIN && folded.includes(local));
}

const fold = (password: string): string => password.normalize('NFKC').toLowerCase();

/** What comes of a text where the keyboard has the other layout. */
const typedOn = (these: string, those: string, text: string): string =>
  [...text].map((key) => those[these.indexOf(key)] ?? key).join('');

/** Also with digits or signs behind, as in Password123!, unless these are the greater part. */
function isCommon(folded: string): boolean {
  const stems = [folded, folded.replace(/[^\p{L}\p{N}]+$/u, ''), folded.replace(/\P{L}+$/u, '')];
  return stems
    .filter((stem) => stem.length > 0 && stem.length * 2 >= folded.length)
    .some(
      (stem) => commonPasswords().has(stem.replaceAll('ё', 'е')) || isOfOneCharacter(stem) || isPattern(stem),
    );
}

const isOfOneCharacter = (text: string): boolean => new Set(text).size === 1;

const isPattern = (text: string): boolean =>
  text.length <= PATTERN_LENGTH_MAX && (isRepeated(text) || isOfRuns(text));

/** A short piece again and again, such as 123123123123. */
function isRepeated(text: string): boolean {
  const longest = Math.min(REPEATED_LENGTH_MAX, text.length / 2);
  for (let size = 1; size <= longest; size++) {
    if (text.endsWith(text.slice(0, -size))) return true;
  }
  return false;
}

/** Nothing but runs, such as 0123456789 and qwerasdfzxcv. */
function isOfRuns(text: string): boolean {
  for (let rest = text; rest !== '';) {
    let length = 0;
    while (length < rest.length && RUNS.some((run) => run.includes(rest.slice(0, length + 1)))) length += 1;
    if (length < RUN_LENGTH_MIN) return false;
    rest = rest.slice(length);
  }
  return true;
}
