import { featureWords } from '../words/feature.words';

export const liveWords = featureWords('live', {
  en: {
    connecting: 'Connecting …',
    offline: 'No connection. What you see may be out of date.',
    tryNow: 'Try now',
  },
  ru: {
    connecting: 'Соединение …',
    offline: 'Нет связи. Данные на экране могли устареть.',
    tryNow: 'Подключиться сейчас',
  },
});
