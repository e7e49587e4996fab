import type { FieldViolation } from '@app/contracts/coded.errors';
import { isObject } from '@app/contracts/json-object';
import type { TemplateButton } from '@app/contracts/template.words';
import type { NeededTemplate } from '@app/persistence/templates/template.repository';
import { violation, type GivenStep } from '../steps/step-fields';
import { DEFAULT_LANGUAGE } from '../steps/send-template.step';

const HAS_VARIABLE = /\{\{[^{}]*\}\}/;

/** The templates that the steps send, by the names that the steps give. */
export const templateIdsIn = (steps: readonly unknown[]): string[] =>
  steps.flatMap((step) =>
    isObject(step) && step.kind === 'send_template' && typeof step.template_id === 'string'
      ? [step.template_id]
      : [],
  );

/**
 * Values that steps without other violations do not give to their templates, or give too many. A template of several
 * numbers must be filled on one of them; one that is not registered is not known.
 */
export function violationsOfTemplates(
  steps: readonly unknown[],
  templates: readonly NeededTemplate[],
): FieldViolation[] {
  return steps.flatMap((step, index) => {
    if (!isObject(step) || step.kind !== 'send_template') return [];
    const found = templates
      .filter((template) => isOf(step, template))
      .map((template) => violationsOfValues(step, template, `steps[${index}]`));
    return found.some((violations) => violations.length === 0) ? [] : (found[0] ?? []);
  });
}

const isOf = (step: GivenStep, { template_id: id, language, channel }: NeededTemplate): boolean =>
  step.template_id === id &&
  (step.template_language ?? DEFAULT_LANGUAGE) === language &&
  (step.channel === undefined || step.channel === channel);

function violationsOfValues(step: GivenStep, template: NeededTemplate, path: string): FieldViolation[] {
  const { header, buttons, params_count: count, param_names: names } = template;
  const params = Array.isArray(step.params) ? step.params : [];
  const named = isObject(step.named_params) ? Object.keys(step.named_params) : [];
  const byName = names.length > 0 && params.length === 0;
  const missing = names.filter((name) => !named.includes(name));
  const unknown = named.filter((name) => !names.includes(name));
  return [
    ...(byName
      ? [
          ...missing.flatMap((name) =>
            violation(`${path}.named_params.${name}`, 'is required: the template has this variable'),
          ),
          ...unknown.flatMap((name) =>
            violation(`${path}.named_params.${name}`, 'is no variable of the template'),
          ),
        ]
      : params.length === count
        ? []
        : violation(
            `${path}.params`,
            count === 0
              ? 'must be absent: the template has no variables'
              : `must have ${count} values, one for each variable of the template`,
          )),
    ...(header !== null && needsValue(header) && step.header === undefined
      ? violation(`${path}.header`, `is required: the header of the template is of the type ${header.format}`)
      : []),
    ...buttons.flatMap((button, index) =>
      buttonNeedsValue(button) && !hasButton(step.buttons, index)
        ? violation(
            `${path}.buttons`,
            `must have a value for the button ${index} of the template, which is of the type ${button.type}`,
          )
        : [],
    ),
  ];
}

const needsValue = (header: NonNullable<NeededTemplate['header']>): boolean =>
  header.format === 'text' ? HAS_VARIABLE.test(header.text) : header.format !== 'other';

const buttonNeedsValue = (button: TemplateButton): boolean =>
  button.type === 'copy_code' || (button.type === 'url' && HAS_VARIABLE.test(button.url));

const hasButton = (given: unknown, index: number): boolean =>
  Array.isArray(given) && given.some((button) => isObject(button) && button.index === index);
