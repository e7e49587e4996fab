import type { FieldViolation } from '@app/contracts/coded.errors';
import type { Channel } from '@app/contracts/message.words';
import { violationsOfAuthentication } from './template-authentication.rules';
import { violationsOfButtons } from './template-button.rules';
import type { TemplateDefinition } from './template-gateway.port';
import { violationsOfBody, violationsOfFooter, violationsOfHeader } from './template-text.rules';

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
