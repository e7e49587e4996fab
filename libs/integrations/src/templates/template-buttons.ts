import { OTP_TYPES, type TemplateButton } from '@app/contracts/template.words';
import { fieldOf, textOf } from '../http/shown-body';
import { variablesOf } from './template-words-mapping';

/** The sample value of a variable in a button's address, for moderation. */
const SAMPLE = 'example';

/** Longest code that can be copied. */
const LONGEST_CODE = 20;

/** A button in the form that Meta's and Gupshup's calls expect. */
export function buttonForCreation(button: TemplateButton): object {
  switch (button.type) {
    case 'quick_reply':
      return { type: 'QUICK_REPLY', text: button.text };
    case 'url': {
      const { text, url } = button;
      return { type: 'URL', text, url, ...(variablesOf(url).length > 0 ? { example: [SAMPLE] } : {}) };
    }
    case 'phone_number':
      return { type: 'PHONE_NUMBER', text: button.text, phone_number: button.phone_number };
    case 'copy_code':
      // WhatsApp writes the label. The call takes only a sample of the code.
      return { type: 'COPY_CODE', example: button.text.slice(0, LONGEST_CODE) };
    case 'otp':
      return {
        type: 'OTP',
        otp_type: button.otp_type.toUpperCase(),
        ...(button.text === '' ? {} : { text: button.text }),
      };
    case 'other':
      throw new Error('a part that we do not know cannot be submitted');
  }
}

/** A button as the providers list it. */
function buttonOf(listed: unknown): TemplateButton {
  const text = textOf(fieldOf(listed, 'text'));
  switch (textOf(fieldOf(listed, 'type')).toUpperCase()) {
    case 'QUICK_REPLY':
      return { type: 'quick_reply', text };
    case 'URL':
      return linkOf(text, textOf(fieldOf(listed, 'url')));
    case 'OTP':
      return { type: 'otp', text, otp_type: otpTypeOf(textOf(fieldOf(listed, 'otp_type'))) };
    case 'PHONE_NUMBER':
      return { type: 'phone_number', text, phone_number: textOf(fieldOf(listed, 'phone_number')) };
    case 'COPY_CODE':
      return { type: 'copy_code', text };
    default:
      return { type: 'other', text };
  }
}

const OTP_ADDRESS = 'https://www.whatsapp.com/otp/';

/**
 * A link, or the button of an authentication template: once it is made, that is a link to an address of WhatsApp.
 * Source: Meta, "Copy code authentication templates": "upon creation the button type will be set to URL".
 */
function linkOf(text: string, url: string): TemplateButton {
  if (!url.startsWith(OTP_ADDRESS) || !URL.canParse(url)) return { type: 'url', text, url };
  return { type: 'otp', text, otp_type: otpTypeOf(new URL(url).searchParams.get('otp_type') ?? '') };
}

const otpTypeOf = (word: string) => OTP_TYPES.find((type) => type === word.toLowerCase()) ?? 'copy_code';

/** The buttons of a listed template, each in its place: a value names its button by it. */
export function buttonsOf(listed: unknown): TemplateButton[] {
  return Array.isArray(listed) ? listed.map(buttonOf) : [];
}
