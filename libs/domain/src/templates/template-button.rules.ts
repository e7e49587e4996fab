import type { FieldViolation } from '@app/contracts/coded.errors';
import type { TemplateButton } from '@app/contracts/template.words';
import { lengthOf } from './template-text.rules';

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
export function violationsOfButtons(buttons: readonly TemplateButton[]): FieldViolation[] {
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
