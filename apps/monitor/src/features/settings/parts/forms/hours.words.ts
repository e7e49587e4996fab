import { featureWords } from '../../../../shared/words/feature.words';

/** Of hours of the week, and of dates without. */
export const hoursWords = featureWords('settings-hours', {
  en: {
    span: 'Hours {{number}}',
    from: 'From',
    to: 'Until',
    days: 'Days',
    dayNeeded: 'Choose a day.',
    addSpan: 'Add hours',
    removeSpan: 'Remove hours {{number}}',
    timeWrong: 'A time such as 09:00.',
    closed: 'Closed dates',
    closedHint: 'One a line, such as 2026-12-31.',
    closedWrong: 'Dates such as 2026-12-31, one a line.',
  },
  ru: {
    span: 'Часы {{number}}',
    from: 'С',
    to: 'До',
    days: 'Дни',
    dayNeeded: 'Выберите день.',
    addSpan: 'Добавить часы',
    removeSpan: 'Убрать часы {{number}}',
    timeWrong: 'Время вида 09:00.',
    closed: 'Выходные даты',
    closedHint: 'По одной в строке, например 2026-12-31.',
    closedWrong: 'Даты вида 2026-12-31, по одной в строке.',
  },
});
