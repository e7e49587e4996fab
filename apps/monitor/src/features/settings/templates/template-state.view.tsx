import type { GovernedTemplateAnswer } from '@app/client/api-types';
import { Mark, type Tone } from '../parts/mark.view';
import { templateWords } from './template.words';

const TONES: Record<GovernedTemplateAnswer['status'], Tone> = {
  ...{ draft: 'plain', pending: 'waiting', approved: 'good' },
  ...{ rejected: 'bad', paused: 'waiting', disabled: 'bad' },
};

/** Where a template stands in moderation. */
export function TemplateState({ status }: Pick<GovernedTemplateAnswer, 'status'>) {
  const t = templateWords.use();
  return <Mark tone={TONES[status]} text={t(`status_${status}`)} />;
}
