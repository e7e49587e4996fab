import type { FieldViolation } from '@app/contracts/coded.errors';
import { authenticationWords, CODE_EXPIRATION_MINUTES_MAX } from '@app/contracts/template.words';
import type { TemplateDefinition } from './template-gateway.port';

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
