import type { StepKind, StoredStep } from '@app/contracts/scenario.words';
import type { Decision, StepKindRules, StepMoment } from './step-decision';
import { AssignRules, NotifyRules, SetStatusRules } from './lead.step';
import { ConditionRules } from './condition.step';
import { HandOverRules, ReturnToAiRules, SetAiRules } from './handler.step';
import { HttpRules } from './http.step';
import { RequestPhoneRules, SendTextRules } from './send-text.step';
import { SendTemplateRules } from './send-template.step';
import { WaitForReplyRules, WaitUntilRules, WaitRules } from './wait.step';

/** Every kind of step. A further kind is one file and its line here. */
export const STEP_RULES: { readonly [Kind in StepKind]: StepKindRules<Extract<StoredStep, { kind: Kind }>> } =
  {
    send_template: new SendTemplateRules(),
    send_text: new SendTextRules(),
    request_phone: new RequestPhoneRules(),
    wait: new WaitRules(),
    wait_until: new WaitUntilRules(),
    wait_for_reply: new WaitForReplyRules(),
    condition: new ConditionRules(),
    set_status: new SetStatusRules(),
    set_ai: new SetAiRules(),
    hand_over: new HandOverRules(),
    return_to_ai: new ReturnToAiRules(),
    assign: new AssignRules(),
    http: new HttpRules(),
    notify: new NotifyRules(),
  };

/** What only waits, or chooses the way. All else changes the dialog, or reaches somebody outside. */
const WITHOUT_EFFECT: readonly StepKind[] = ['wait', 'wait_until', 'wait_for_reply', 'condition'];

/**
 * What a step decides at an instant. A step that cannot be read fails alone. Undo brings a card back and nothing else, so
 * no effect begins while a person may still undo the move. What waits for that is not late because of it.
 */
export function decide(step: StoredStep, at: StepMoment): Decision {
  const { now, customerAfter: until } = at;
  if (until && until > now && !WITHOUT_EFFECT.includes(step.kind))
    return { kind: 'wait', until, dueSince: until };
  try {
    return (STEP_RULES[step.kind] as StepKindRules).decide(step, at);
  } catch {
    return { kind: 'failed', error: { code: 'INTERNAL_ERROR', message: 'The step could not be read.' } };
  }
}
