import type { FieldViolation } from '@app/contracts/coded.errors';
import type { Channel } from '@app/contracts/message.words';
import {
  VARIABLE_NAME_LENGTH_MAX,
  type ParameterFormat,
  type TemplateButton,
  authenticationWords,
  CODE_EXPIRATION_MINUTES_MAX,
} from '@app/contracts/template.words';
import type { TemplateDefinition } from './template-gateway.port';

const VARIABLE = /\{\{([^{}]*)\}\}/g;

/** What may be inside the braces. */
const NAMES: Record<ParameterFormat, RegExp> = {
  positional: /^[1-9]\d{0,2}$/,
  named: new RegExp(`^(?!\\d+$)[a-z0-9_]{1,${VARIABLE_NAME_LENGTH_MAX}}$`),
};

interface Variables {
  /** Distinct variables in the order of their first occurrence: names, or numbers as text. */
  names: string[];
  /** How many pairs of braces hold no valid variable. */
  strays: number;
}

/** The variables of a text: `{{1}}`, or `{{first_name}}` where they have names. */
function variablesOf(text: string, format: ParameterFormat): Variables {
  const found = Array.from(text.matchAll(VARIABLE), ([, name = '']) => name.trim());
  const names = found.filter((name) => NAMES[format].test(name));
  const braces = text.replace(VARIABLE, '').match(/\{\{|\}\}/g) ?? [];
  return { names: [...new Set(names)], strays: found.length - names.length + braces.length };
}

/** What the registry stores about a body's variables. */
export function parametersOf(body: string, format: ParameterFormat): { count: number; names: string[] } {
  const { names } = variablesOf(body, format);
  return { count: names.length, names: format === 'named' ? names : [] };
}

const BODY_MAX = 1_024;
const HEADER_MAX = 60;
const FOOTER_MAX = 60;

/** Characters as people count them, approximately: an emoji is one. */
const lengthOf = (text: string): number => [...text].length;

const FORM: Record<ParameterFormat, string> = {
  positional: 'variables must be numbers: {{1}}, {{2}}, …',
  named:
    'variables must be names of up to 100 lower-case letters, digits and underscores, not of digits alone, such as {{first_name}}',
};

/** Violations of WhatsApp's rules in the body. */
function violationsOfBody({ body, parameterFormat, examples }: TemplateDefinition): FieldViolation[] {
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
function violationsOfHeader({ header, parameterFormat, examples }: TemplateDefinition): FieldViolation[] {
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
function violationsOfFooter({ footer }: TemplateDefinition): FieldViolation[] {
  if (footer === null) return [];
  if (lengthOf(footer) > FOOTER_MAX) {
    return [{ path: 'footer', message: `must be at most ${FOOTER_MAX} characters` }];
  }
  if (/\{\{|\}\}/.test(footer)) return [{ path: 'footer', message: 'must have no variables' }];
  return [];
}

const BUTTONS_MAX = 10;
const LABEL_MAX = 25;
const URL_MAX = 2_000;
const CODE_MAX = 20;

/** How many buttons of a type a template may have. */
const MOST: Record<TemplateButton['type'], number> = {
  quick_reply: 10,
  url: 2,
  phone_number: 1,
  copy_code: 1,
  otp: 1,
  other: 10,
};

/** An address without variables, or with one at its end. */
const URL_FORM = /^https?:\/\/[^\s{}]+(\{\{1\}\})?$/;

/** Violations of WhatsApp's rules in the buttons. */
function violationsOfButtons(buttons: readonly TemplateButton[]): FieldViolation[] {
  const violations = buttons.flatMap((button, index) => {
    const violation = violationOf(button);
    return violation ? [{ path: `buttons[${index}].${violation.path}`, message: violation.message }] : [];
  });
  if (buttons.length > BUTTONS_MAX)
    violations.push({ path: 'buttons', message: `must be at most ${BUTTONS_MAX}` });
  for (const type of Object.keys(MOST) as TemplateButton['type'][]) {
    const count = buttons.filter((button) => button.type === type).length;
    if (count > MOST[type])
      violations.push({ path: 'buttons', message: `must have at most ${MOST[type]} of type ${type}` });
  }
  if (!areTogether(buttons)) {
    violations.push({
      path: 'buttons',
      message: 'must have its quick replies side by side, no other button between',
    });
  }
  return violations;
}

function violationOf(button: TemplateButton): FieldViolation | null {
  const longest = button.type === 'copy_code' ? CODE_MAX : LABEL_MAX;
  if (lengthOf(button.text) > longest) {
    return { path: 'text', message: `must be at most ${longest} characters` };
  }
  if (button.type === 'url' && (button.url.length > URL_MAX || !URL_FORM.test(button.url))) {
    const message = `must be an http or https address of at most ${URL_MAX} characters, with at most one variable, {{1}}, at its end`;
    return { path: 'url', message };
  }
  if (button.type === 'phone_number' && !/^\+?[0-9]{5,19}$/.test(button.phone_number)) {
    return {
      path: 'phone_number',
      message: 'must be a phone number of 5 to 19 digits, with a plus or without, such as +77010000001',
    };
  }
  return null;
}

function areTogether(buttons: readonly TemplateButton[]): boolean {
  const places = buttons.flatMap(({ type }, index) => (type === 'quick_reply' ? [index] : []));
  const [first = 0] = places;
  return places.every((place, index) => place === first + index);
}

/**
 * Violations of the form of authentication templates: WhatsApp writes their text and footer, they have one button that
 * hands over the code, and nothing else. All other templates have nothing of it.
 * Source: Meta, Authentication templates: `add_security_recommendation`, `code_expiration_minutes` (1 to 90), one button
 * of the type OTP; "URLs, media, and emojis are not supported".
 */
export function violationsOfAuthentication(template: TemplateDefinition): FieldViolation[] {
  const { category, addSecurityRecommendation, codeExpirationMinutes: minutes } = template;
  if (category !== 'authentication') {
    const message = 'goes with authentication templates only';
    return [
      ...(addSecurityRecommendation ? [{ path: 'add_security_recommendation', message }] : []),
      ...(minutes === null ? [] : [{ path: 'code_expiration_minutes', message }]),
      ...template.buttons.flatMap(({ type }, index) =>
        type === 'otp' ? [{ path: `buttons[${index}].type`, message: `otp ${message}` }] : [],
      ),
    ];
  }
  const violations: FieldViolation[] = [];
  const refuse = (path: string, message: string): void => void violations.push({ path, message });
  if (template.parameterFormat === 'named')
    refuse('parameter_format', 'must be positional in an authentication template: its code is {{1}}');
  if (template.header !== null) refuse('header', 'must be absent: an authentication template has none');
  if (template.body !== '')
    refuse('body', 'must be absent: WhatsApp writes the text of an authentication template');
  if (template.footer !== null)
    refuse('footer', 'must be absent: WhatsApp writes it, where code_expiration_minutes is given');
  if (minutes !== null && (minutes < 1 || minutes > CODE_EXPIRATION_MINUTES_MAX))
    refuse('code_expiration_minutes', `must be from 1 to ${CODE_EXPIRATION_MINUTES_MAX}`);
  const { header: sample, body: samples = [] } = template.examples;
  if (sample !== undefined || samples.length > 0)
    refuse('examples', 'must be absent: WhatsApp has a sample of the code');
  const [button, ...more] = template.buttons;
  if (button?.type !== 'otp' || more.length > 0)
    refuse('buttons', 'must be one button of the type otp in an authentication template');
  else if (button.otp_type !== 'copy_code')
    refuse('buttons[0].otp_type', 'must be copy_code: buttons of other types are made at the provider');
  return violations;
}

/** A template with the parts that WhatsApp writes left out. */
export function withoutAuthenticationWords<T extends TemplateDefinition>(template: T): T {
  return template.category === 'authentication' ? { ...template, body: '', footer: null } : template;
}

/** A template with the parts that WhatsApp will write. */
export function withAuthenticationWords(template: TemplateDefinition): TemplateDefinition {
  return template.category === 'authentication'
    ? { ...template, ...authenticationWords(template) }
    : template;
}

/** Longest name. Gupshup's limit is lower than WhatsApp's. */
const NAME_MAX: Record<Channel, number> = { waba_coexistence: 512, waba: 180 };

const LANGUAGE = /^[a-z]{2,3}(_[A-Z]{2,3})?$/;

/** Parts of kinds that we do not know: they can only be submitted where they were made. */
export function violationsOfOtherParts({
  header,
  buttons,
}: Pick<TemplateDefinition, 'header' | 'buttons'>): FieldViolation[] {
  const message = 'is of a kind that can be changed and submitted only at the provider';
  return [
    ...(header?.format === 'other' ? [{ path: 'header', message }] : []),
    ...buttons.flatMap(({ type }, index) =>
      type === 'other' ? [{ path: `buttons[${index}]`, message }] : [],
    ),
  ];
}

/**
 * What moderation refuses without reading: the limits that WhatsApp publishes. The provider judges whether the words
 * are acceptable and whether a language exists.
 */
export function violationsOfTemplate(channel: Channel, template: TemplateDefinition): FieldViolation[] {
  const { name, language, buttons } = template;
  const violations: FieldViolation[] = [];
  if (!/^[a-z0-9_]+$/.test(name) || name.length > NAME_MAX[channel]) {
    const message = `must be of lower-case letters, digits and underscores, at most ${NAME_MAX[channel]}`;
    violations.push({ path: 'name', message });
  }
  if (!LANGUAGE.test(language)) {
    violations.push({ path: 'language', message: 'must be a language code such as ru or en_US' });
  }
  const ofTexts =
    template.category === 'authentication'
      ? []
      : [...violationsOfHeader(template), ...violationsOfBody(template), ...violationsOfFooter(template)];
  return [
    ...violations,
    ...ofTexts,
    ...violationsOfAuthentication(template),
    ...violationsOfButtons(buttons),
    ...violationsOfOtherParts(template),
  ];
}
