import type { FieldViolation } from '@app/contracts/coded.errors';
import { CHANNELS } from '@app/contracts/message.words';
import type { SendTemplateStep } from '@app/contracts/scenario.words';
import { VARIABLE_NAME_LENGTH_MAX } from '@app/contracts/template.words';
import { isObject } from '@app/contracts/json-object';
import {
  buttonViolations,
  headerViolations,
  toButtons,
  toHeader,
} from '../../messages/sending/template-extras.rules';
import { beforeSend } from '../effects/send.rules';
import { type Decision, type StepKindRules, type StepMoment, renderedDeep } from './step-decision';
import {
  maxLateSeconds,
  oneOf,
  optional,
  violation,
  word,
  type FieldCheck,
  type StepFields,
} from './step-fields';
import { violationsDeep, violationsOfText } from './step-variables';

const NAME_LONGEST = 512;
const BUTTONS_MAX = 10;
const VARIABLE_NAME = new RegExp(`^[a-z0-9_]{1,${VARIABLE_NAME_LENGTH_MAX}}$`);

const valueOf = (value: unknown, path: string): FieldViolation[] =>
  typeof value === 'string' && value !== ''
    ? violationsOfText(value, path)
    : violation(path, 'must be a non-empty string');

const paramsOf: FieldCheck = (value, path) =>
  Array.isArray(value)
    ? value.flatMap((param, index) => valueOf(param, `${path}[${index}]`))
    : violation(path, 'must be an array of non-empty strings');

const namedParamsOf: FieldCheck = (value, path, { step: { params } }) => {
  if (!isObject(value)) return violation(path, 'must be an object of names and values');
  const both = Array.isArray(params) && params.length > 0;
  return [
    ...(both ? violation(path, 'give params or named_params, not both') : []),
    ...Object.entries(value).flatMap(([name, param]) =>
      VARIABLE_NAME.test(name)
        ? valueOf(param, `${path}.${name}`)
        : violation(
            path,
            `names must be 1 to ${VARIABLE_NAME_LENGTH_MAX} lower-case letters, digits and underscores`,
          ),
    ),
  ];
};

/** Violations of fields of a recipient, whose paths begin in the step. */
const within = (path: string, found: readonly FieldViolation[]): FieldViolation[] =>
  found.map((each) => ({ ...each, path: path.slice(0, path.lastIndexOf('.') + 1) + each.path }));

const headerOf: FieldCheck = (value, path) => {
  if (!isObject(value)) return violation(path, 'must be an object such as { "type": "text", "text": "…" }');
  return [...within(path, headerViolations(value)), ...violationsDeep(value, path)];
};

const buttonsOf: FieldCheck = (value, path) => {
  if (!Array.isArray(value) || value.length > BUTTONS_MAX) {
    return violation(path, `must be an array of at most ${BUTTONS_MAX} items`);
  }
  return [...within(path, buttonViolations(value)), ...violationsDeep(value, path)];
};

const NOTHING_LEFT = { code: 'VARIABLE_EMPTY', message: 'A value of the template is empty here.' };

/** Whether a text is empty, or one within a value is. */
const hasEmpty = (value: unknown): boolean =>
  value === '' || (typeof value === 'object' && value !== null && Object.values(value).some(hasEmpty));

/** The language of a template where a step names none, as in send-template. */
export const DEFAULT_LANGUAGE = 'ru';

/** Sends a template, as send-template does. */
export class SendTemplateRules implements StepKindRules<SendTemplateStep> {
  readonly kind = 'send_template';
  readonly fields: StepFields<SendTemplateStep> = {
    template_id: word(NAME_LONGEST),
    template_language: optional(word(NAME_LONGEST)),
    channel: optional(oneOf(CHANNELS)),
    params: optional(paramsOf),
    named_params: optional(namedParamsOf),
    header: optional(headerOf),
    buttons: optional(buttonsOf),
    max_late_seconds: maxLateSeconds,
  };

  decide(step: SendTemplateStep, at: StepMoment): Decision {
    const held = beforeSend(step, at);
    if (held) return held;
    const { params = [], named_params: namedParams, header, buttons } = step;
    const values = renderedDeep({ params, namedParams, header, buttons }, at);
    if ('failed' in values) return { kind: 'failed', error: values.failed };
    const filled = values.value;
    if (hasEmpty(filled)) return { kind: 'failed', error: NOTHING_LEFT };
    return {
      kind: 'errand',
      order: {
        kind: 'message',
        channel: step.channel ?? at.dialog.channel,
        content: {
          type: 'template',
          templateId: step.template_id,
          language: step.template_language ?? DEFAULT_LANGUAGE,
          params: filled.params,
          ...(filled.namedParams && { namedParams: filled.namedParams }),
          ...(filled.header && { header: toHeader(filled.header) }),
          ...(filled.buttons && { buttons: toButtons(filled.buttons) }),
        },
      },
    };
  }
}
