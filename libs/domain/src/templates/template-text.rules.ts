import type { FieldViolation } from '@app/contracts/coded.errors';
import type { ParameterFormat } from '@app/contracts/template.words';
import type { TemplateDefinition } from './template-gateway.port';
import { variablesOf } from './template-variables';

const BODY_MAX = 1_024;
const HEADER_MAX = 60;
const FOOTER_MAX = 60;

/** Characters as people count them, approximately: an emoji is one. */
export const lengthOf = (text: string): number => [...text].length;

const FORM: Record<ParameterFormat, string> = {
  positional: 'variables must be numbers: {{1}}, {{2}}, …',
  named:
    'variables must be names of up to 100 lower-case letters, digits and underscores, not of digits alone, such as {{first_name}}',
};

/** Violations of WhatsApp's rules in the body. */
export function violationsOfBody({ body, parameterFormat, examples }: TemplateDefinition): FieldViolation[] {
  const said: string[] = [];
  if (lengthOf(body) > BODY_MAX) said.push(`must be at most ${BODY_MAX} characters`);
  const { names, strays } = variablesOf(body, parameterFormat);
  if (strays > 0) said.push(FORM[parameterFormat]);
  else if (parameterFormat === 'positional' && !areConsecutive(names)) {
    said.push('variables must be numbered from {{1}} on, without gaps');
  }
  const text = body.trim();
  if (text.startsWith('{{') || text.endsWith('}}')) said.push('must neither begin nor end with a variable');
  if (body.includes('}}{{')) said.push('must have text between two variables');
  const violations = said.slice(0, 1).map((message) => ({ path: 'body', message }));
  const samples = examples.body ?? [];
  if (samples.length === names.length) return violations;
  const message = `must have a sample for each of the body's ${names.length} variables, in their order`;
  return [...violations, { path: 'examples.body', message }];
}

const areConsecutive = (numbers: readonly string[]): boolean => {
  const wanted = numbers.map((_, index) => index + 1);
  return wanted.every((number) => numbers.includes(String(number)));
};

/** Violations of WhatsApp's rules in the header. */
export function violationsOfHeader({
  header,
  parameterFormat,
  examples,
}: TemplateDefinition): FieldViolation[] {
  if (header?.format !== 'text') return [];
  const violation = (message: string): FieldViolation[] => [{ path: 'header.text', message }];
  if (lengthOf(header.text) > HEADER_MAX) return violation(`must be at most ${HEADER_MAX} characters`);
  const { names, strays } = variablesOf(header.text, parameterFormat);
  if (strays > 0) return violation(FORM[parameterFormat]);
  if (names.length > 1) return violation('must have at most one variable');
  if (parameterFormat === 'positional' && !areConsecutive(names))
    return violation('its variable must be {{1}}');
  if (names.length === 1 && examples.header === undefined) {
    return [{ path: 'examples.header', message: "must be a sample of the header's variable" }];
  }
  return [];
}

/** Violations of WhatsApp's rules in the footer. */
export function violationsOfFooter({ footer }: TemplateDefinition): FieldViolation[] {
  if (footer === null) return [];
  if (lengthOf(footer) > FOOTER_MAX) {
    return [{ path: 'footer', message: `must be at most ${FOOTER_MAX} characters` }];
  }
  if (/\{\{|\}\}/.test(footer)) return [{ path: 'footer', message: 'must have no variables' }];
  return [];
}
