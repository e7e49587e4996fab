import { randomUUIDv7 } from 'node:crypto';
import { canonicalJson } from '@app/contracts/json-object';
import type { Channel } from '@app/contracts/message.words';
import type { MessageIntent } from '@app/persistence/messages/sending/outbox.repository';
import type { RegisteredTemplate } from '@app/persistence/templates/template.repository';
import type { TemplateContent } from '../dispatch/message-sender.port';

/** Longest text of WhatsApp (Meta: Messages API), so a message in a dialog never needs more. In UTF-16 units. */
const SHOWN_TEXT_MAX = 4_096;

/**
 * Joins the pieces of a text for people to read, at most {@link SHOWN_TEXT_MAX} long. A longer text is cut at a whole
 * character and ends with an ellipsis. Only the part that is shown is copied, and pieces after the cut are not
 * evaluated.
 */
export function shownText(pieces: Iterable<string>): string {
  let text = '';
  for (const piece of pieces) {
    text += piece.slice(0, SHOWN_TEXT_MAX + 1);
    if (text.length > SHOWN_TEXT_MAX) return `${wholeCharacters(text.slice(0, SHOWN_TEXT_MAX - 1))}…`;
  }
  return text;
}

/** Without the first half of a surrogate pair whose second half was cut off. */
const wholeCharacters = (text: string): string => text.replace(/[\ud800-\udbff]$/, '');

/** One recipient in a call. */
export interface TemplateRecipient {
  /** The phone, or else the messenger's user id. */
  address: string;
  /** By which the dialog is found. */
  contact: string;
  /** The dialog, where it is known; undefined: it is found or opened by the contact. */
  threadId?: string;
  params: readonly string[];
  /** By the names of the variables, for templates with named variables. */
  namedParams?: Readonly<Record<string, string>>;
  header?: TemplateContent['header'];
  buttons?: TemplateContent['buttons'];
}

/** The template as the caller names it. What the provider must judge is left to the provider. */
export interface TemplateChoice {
  templateId: string;
  language: string;
  /** Null: not registered, so it is passed unchanged and the provider's error is returned. */
  registered: RegisteredTemplate | null;
}

const VARIABLE = /\{\{\s*([\w]+)\s*\}\}/g;

/** What is sent to the provider for one recipient. */
export function contentFor(
  choice: TemplateChoice,
  to: TemplateRecipient,
  byProviderId: boolean,
): TemplateContent {
  const { templateId, language, registered } = choice;
  const name = (byProviderId ? registered?.provider_id : registered?.name) ?? templateId;
  const names = to.namedParams ? Object.keys(to.namedParams) : namesOf(registered);
  const values = to.namedParams ? Object.values(to.namedParams) : to.params;
  return {
    type: 'template',
    name,
    language,
    params: values,
    ...(names.length > 0 && { paramNames: names }),
    ...(to.header && { header: headerFor(to.header, registered) }),
    ...buttonsFor(to, registered, values),
  };
}

/**
 * The values of the buttons. The code of an authentication template is in its button too, as the value of a link, unless
 * the caller gives that button a value.
 * Source: Meta, Authentication templates, "Sending authentication templates": `sub_type` `url` of the button.
 */
function buttonsFor(
  { buttons = [] }: TemplateRecipient,
  registered: RegisteredTemplate | null,
  [code]: readonly string[],
): Pick<TemplateContent, 'buttons'> {
  const index = registered?.buttons.findIndex(({ type }) => type === 'otp') ?? -1;
  const isFilled = code === undefined || index < 0 || buttons.some((button) => button.index === index);
  const all = isFilled ? buttons : [...buttons, { type: 'url' as const, index, text: code }];
  return all.length > 0 ? { buttons: all } : {};
}

/**
 * What people read in the dialog: the body with its values, as far as the registry knows it, cut where it is too
 * long. The provider gets {@link contentFor}, uncut.
 */
export function textFor(choice: TemplateChoice, content: TemplateContent): string {
  const { templateId, registered } = choice;
  const body = registered?.body ?? null;
  return shownText(body === null ? listed(templateId, content.params) : filled(body, content));
}

function* filled(body: string, { params, paramNames }: TemplateContent): Generator<string> {
  const valueOf = new Map<string, string>();
  for (const [index, value] of params.entries()) {
    valueOf.set(paramNames?.[index] ?? String(index + 1), value);
  }
  let shown = 0;
  for (const { 0: variable, 1: name = '', index } of body.matchAll(VARIABLE)) {
    yield body.slice(shown, index);
    yield valueOf.get(name) ?? variable;
    shown = index + variable.length;
  }
  yield body.slice(shown);
}

function* listed(templateId: string, params: readonly string[]): Generator<string> {
  yield templateId;
  for (const [index, value] of params.entries()) {
    yield index === 0 ? ': ' : ', ';
    yield value;
  }
}

/** A text header with the name of its variable, where the registered template has named ones. */
function headerFor(
  header: NonNullable<TemplateContent['header']>,
  registered: RegisteredTemplate | null,
): NonNullable<TemplateContent['header']> {
  if (header.type !== 'text' || registered?.parameter_format !== 'named') return header;
  if (registered.header?.format !== 'text') return header;
  // WhatsApp allows one.
  const [variable] = registered.header.text.matchAll(VARIABLE);
  return variable?.[1] === undefined ? header : { ...header, name: variable[1] };
}

const namesOf = (registered: RegisteredTemplate | null): readonly string[] =>
  registered?.parameter_format === 'named' ? registered.param_names : [];

/** What a recipient's dialog is told by. */
const dialogOf = ({ threadId, contact }: TemplateRecipient): string => threadId ?? contact;

/**
 * Which recipients are stored as duplicates of an earlier one instead of being sent to: none, those of the same dialog with
 * the same values, or, of a sending in several lists, those of a dialog that has its message. The dialogs are those that have
 * it already.
 */
export type Duplicates = 'none' | 'equal' | { dialogs: ReadonlySet<string> };

/** The messages of a call, in the order asked, which is also the order of their ids. */
export function intentsFor(
  channel: Channel,
  choice: TemplateChoice,
  recipients: readonly TemplateRecipient[],
  duplicates: Duplicates,
): MessageIntent[] {
  const seen = new Set<string>(typeof duplicates === 'object' ? duplicates.dialogs : []);
  // Ids of the same millisecond are not in order.
  const ids = recipients.map(() => randomUUIDv7()).sort();
  return recipients.map((recipient, index) => {
    const content = contentFor(choice, recipient, channel === 'waba');
    const { address, contact, threadId, ...values } = recipient;
    const dialog = dialogOf(recipient);
    const same = duplicates === 'equal' ? canonicalJson({ dialog, ...values }) : dialog;
    const duplicate = duplicates !== 'none' && seen.has(same);
    seen.add(same);
    return {
      id: ids[index] as string,
      newThreadId: randomUUIDv7(),
      contact,
      phone: address,
      ...(threadId !== undefined && { threadId }),
      type: content.type,
      text: textFor(choice, content),
      content: { ...content },
      duplicate,
    };
  });
}
