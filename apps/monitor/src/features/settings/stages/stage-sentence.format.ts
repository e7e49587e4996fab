import type { StageSettingsAnswer } from '@app/client/api-types';
import { stagesWords } from './stages.words';

/** What a stage does to the leads in it, in sentences. @param scenarios how many it starts */
export const stageSentences = (stage: StageSettingsAnswer, scenarios: number): string[] => [
  ...(stage.on_enter === null ? [stagesWords.say('says_nothing')] : []),
  ...specialSentences(stage, scenarios),
];

/** Those of them that are not true of a usual stage. */
export function specialSentences(stage: StageSettingsAnswer, scenarios: number): string[] {
  const say = stagesWords.say;
  return [
    ...(stage.on_enter === null ? [] : [say(`says_${stage.on_enter}`)]),
    ...(stage.ai_enabled ? [] : [say('says_silent')]),
    ...(stage.ai_transition_locked ? [say('says_locked')] : []),
    ...(scenarios > 0 ? [say('says_scenarios', { count: scenarios })] : []),
  ];
}
