import { isolated } from '../../../../shared/format/direction.format';
import { channelName } from '../../../../shared/leads/lead-names.format';
import { leadWords } from '../../../../shared/leads/lead.words';
import { spanInWords, weekdayName } from '../../parts/forms/span.format';
import type { StepDraft } from './step-draft.format';
import { stepWords } from './step.words';

/** Names that steps refer to by ids. */
export interface StepNames {
  stages: ReadonlyMap<string, string>;
  /** Empty where the person may not read who works here. */
  people: ReadonlyMap<string, string>;
}

/** What a step does, in a sentence. */
export function stepSentence(step: StepDraft, { stages, people }: StepNames): string {
  const say = stepWords.say;
  const span = spanInWords(step.seconds ?? 0);
  switch (step.kind) {
    case 'send_template': {
      const values = [
        ...step.params.map(isolated),
        ...step.named_params.map(({ name, value }) => `${name} = ${isolated(value)}`),
      ];
      return say('say_send_template', {
        name: isolated(step.template_id),
        language: step.template_language,
        values: values.length === 0 ? '' : say('withValues', { values: values.join(', ') }),
      });
    }
    case 'send_text':
      return say('say_send_text', { text: isolated(step.text) });
    case 'request_phone':
      return say('say_request_phone', { text: isolated(step.text) });
    case 'wait':
      return say('say_wait', { span });
    case 'wait_until': {
      const days = [...step.weekdays].sort().map((day) => weekdayName(Number(day)));
      const least = step.at_least_seconds ? spanInWords(step.at_least_seconds) : null;
      return say('say_wait_until', {
        time: step.time,
        zone: step.timezone,
        days: days.length === 0 || days.length === 7 ? '' : say('onDays', { days: days.join(', ') }),
        least: least === null ? '' : say('atLeast', { span: least }),
      });
    }
    case 'wait_for_reply':
      return say('say_wait_for_reply', { span, then: whereTo('then', step.on_timeout) });
    case 'condition':
      return say('say_condition', {
        facts: step.all.map(factSentence).join(say('and')),
        else: whereTo('else', step.else),
      });
    case 'set_status':
      return step.status_id === ''
        ? say('say_clear_status')
        : say('say_set_status', { stage: isolated(stages.get(step.status_id) ?? say('unknownStage')) });
    case 'set_ai':
      return say('say_set_ai');
    case 'hand_over':
      return say('say_hand_over') + (step.note.trim() ? say('withNote', { note: isolated(step.note) }) : '');
    case 'return_to_ai':
      return say('say_return_to_ai');
    case 'assign':
      return step.user_id === ''
        ? say('say_assign_nobody')
        : say('say_assign', { name: isolated(people.get(step.user_id) ?? say('somebody')) });
    case 'notify':
      return say('say_notify', { text: isolated(step.text) });
    case 'http':
      return say('say_http', { method: step.method, url: step.url });
  }
}

function whereTo(word: 'then' | 'else', choice: string): string {
  if (choice.startsWith('go:')) return stepWords.say(`${word}_go`, { label: isolated(choice.slice(3)) });
  const key = `${word}_${choice}`;
  return stepWords.has(key) ? stepWords.say(key) : choice;
}

/** What a condition asks. */
export function factSentence({ fact, is }: StepDraft['all'][number]): string {
  if (fact === 'kind') {
    const kind = `kind_${is}`;
    return stepWords.say('fact_kind', { kind: leadWords.has(kind) ? leadWords.say(kind) : is });
  }
  if (fact === 'channel') return stepWords.say('fact_channel', { channel: channelName(is), is });
  const key = `fact_${fact}_${is}`;
  return stepWords.has(key) ? stepWords.say(key) : `${fact}: ${is}`;
}

/** What else is to be known of it: its label, and that its failure stops nothing. */
export function stepRemarks(step: StepDraft): string {
  const say = stepWords.say;
  return [
    ...(step.label.trim() ? [say('labelled', { label: isolated(step.label.trim()) })] : []),
    ...(step.on_failure === 'continue' ? [say('sayContinue')] : []),
  ].join(' ');
}
