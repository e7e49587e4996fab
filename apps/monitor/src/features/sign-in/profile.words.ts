import { featureWords } from '../../shared/words/feature.words';

export const profileWords = featureWords('profile', {
  en: { title: 'Your account' },
  ru: { title: 'Ваш профиль' },
});
