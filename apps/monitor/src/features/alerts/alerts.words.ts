import { featureWords } from '../../shared/words/feature.words';

export const alertWords = featureWords('alerts', {
  en: {
    alerts: 'Notify me when a person is needed',
    soundOnly: 'This browser shows no notifications of this page. You will hear a sound.',
  },
  ru: {
    alerts: 'Уведомлять, когда нужен человек',
    soundOnly: 'Браузер не показывает уведомления этой страницы. Вы услышите звук.',
  },
});
