import type { StepKind, StoredStep } from '@app/contracts/scenario.words';
import type { Decision, StepKindRules, StepMoment } from './step.decision';
import { AssignRules } from './steps/assign.step';
import { ConditionRules } from './steps/condition.step';
import { HandOverRules } from './steps/hand-over.step';
import { HttpRules } from './steps/http.step';
import { NotifyRules } from './steps/notify.step';
import { RequestPhoneRules } from './steps/request-phone.step';
import { ReturnToAiRules } from './steps/return-to-ai.step';
import { SendTemplateRules } from './steps/send-template.step';
import { SendTextRules } from './steps/send-text.step';
import { SetAiRules } from './steps/set-ai.step';
import { SetStatusRules } from './steps/set-status.step';
import { WaitForReplyRules } from './steps/wait-for-reply.step';
import { WaitUntilRules } from './steps/wait-until.step';
import { WaitRules } from './steps/wait.step';

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

/** What a step decides at an instant. A step that cannot be read fails alone. */
export function decide(step: StoredStep, at: StepMoment): Decision {
  try {
    return (STEP_RULES[step.kind] as StepKindRules).decide(step, at);
  } catch {
    return { kind: 'failed', error: { code: 'INTERNAL_ERROR', message: 'The step could not be read.' } };
  }
}
