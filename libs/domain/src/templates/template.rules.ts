import type { FieldFault } from '@app/contracts/coded.error';
import type { Channel } from '@app/contracts/message.words';
import { faultsOfButtons } from './template-button.rules';
import type { TemplateDefinition } from './template-gateway.port';
import { faultsOfBody, faultsOfFooter, faultsOfHeader } from './template-text.rules';

/** Longest name; Gupshup's own bound is lower than WhatsApp's. */
const NAME_MAX: Record<Channel, number> = { waba_coexistence: 512, waba: 180 };

const LANGUAGE = /^[a-z]{2,3}(_[A-Z]{2,3})?$/;

/**
 * What moderation refuses without reading: the limits that WhatsApp publishes. Whether the words are acceptable, and
 * whether a language exists, is the provider's to judge.
 */
export function faultsOfTemplate(channel: Channel, template: TemplateDefinition): FieldFault[] {
  const { name, language, buttons } = template;
  const faults: FieldFault[] = [];
  if (!/^[a-z0-9_]+$/.test(name) || name.length > NAME_MAX[channel]) {
    const message = `must be of lower-case letters, digits and underscores, at most ${NAME_MAX[channel]}`;
    faults.push({ path: 'name', message });
  }
  if (!LANGUAGE.test(language)) {
    faults.push({ path: 'language', message: 'must be a language code such as ru or en_US' });
  }
  return [
    ...faults,
    ...faultsOfHeader(template),
    ...faultsOfBody(template),
    ...faultsOfFooter(template),
    ...faultsOfButtons(buttons),
  ];
}
