import { featureWords } from '../../../shared/words/feature.words';

/** The switch, and who answers now, in the sentences of the contract. */
export const switchWords = featureWords('dialog-switch', {
  en: {
    name: 'AI answers',
    on: 'AI answers',
    takeover: 'You answer. AI returns in {{left}}',
    takeoverOf: '{{name}} answers. AI returns in {{left}}',
    takeoverKept: 'You answer until you return it to AI',
    takeoverKeptOf: '{{name}} answers until the dialog is returned to AI',
    off: 'AI is off until switched on',
    optedOut: 'Unsubscribed: nobody may write but by an approved template',
    elsewhere: 'Another AI answers on this number: ours is silent',
    takeBack: 'Take it back',
    elsewhereHint:
      'A message of yours, or switching our AI on, takes the conversation back. Off keeps only our AI silent: the other may go on.',
    muted: 'AI is silent at this stage: you answer',
    erased: 'This customer was erased',
    returnNow: 'Return to AI now',
    answers: 'When you switch it on, AI answers the message that waits.',
    answersReturn:
      'If you return to AI now, it answers the message that waits. When it returns by itself, it does not.',
    answersReturnKept: 'If you return to AI, it answers the message that waits.',
    forecastMuted:
      'The message that waits is not answered when you switch it on: AI is silent at this stage.',
    tooOld: 'The message that waits is not answered when you switch it on: it is older than a day.',
    answering: 'AI answers the message of {{name}} that waited.',
    notAnswering: 'AI is on. The message of {{name}} that waited is not answered.',
    cannot: 'Only the customer can change that, by writing START.',
  },
  ru: {
    name: 'ИИ отвечает',
    on: 'Отвечает ИИ',
    takeover: 'Отвечаете вы. ИИ вернётся через {{left}}',
    takeoverOf: 'Отвечает {{name}}. ИИ вернётся через {{left}}',
    takeoverKept: 'Отвечаете вы, пока не вернёте диалог ИИ',
    takeoverKeptOf: 'Отвечает {{name}}, пока диалог не вернут ИИ',
    off: 'ИИ выключен, пока его не включат',
    optedOut: 'Клиент отписался: писать можно только одобренным шаблоном',
    elsewhere: 'На этом номере отвечает другой ИИ: наш молчит',
    takeBack: 'Вернуть разговор',
    elsewhereHint:
      'Ваше сообщение или включение нашего ИИ возвращает разговор. Выключатель касается только нашего ИИ: другой может отвечать дальше.',
    muted: 'На этом этапе ИИ молчит: отвечаете вы',
    erased: 'Данные этого клиента удалены',
    returnNow: 'Вернуть ИИ сейчас',
    answers: 'Если включить, ИИ ответит на ждущее сообщение.',
    answersReturn: 'Если вернуть сейчас, ИИ ответит на ждущее сообщение. Вернувшись сам, не ответит.',
    answersReturnKept: 'Если вернуть ИИ, он ответит на ждущее сообщение.',
    forecastMuted: 'Если включить, ждущее сообщение останется без ответа: на этом этапе ИИ молчит.',
    tooOld: 'Если включить, ждущее сообщение останется без ответа: ему больше суток.',
    answering: '{{name}}: ИИ отвечает на ждавшее сообщение.',
    notAnswering: '{{name}}: ИИ включён. На ждавшее сообщение он не ответит.',
    cannot: 'Изменить это может только клиент, написав СТАРТ.',
  },
});
