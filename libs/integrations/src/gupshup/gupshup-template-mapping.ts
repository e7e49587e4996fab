import type { TemplateHeader } from '@app/contracts/template.words';
import type { ProviderTemplate, TemplateDefinition } from '@app/domain/templates/template-gateway.port';
import { fieldOf, readBody, textOf } from '../http/shown-body';
import { buttonForCreation, buttonsOf } from '../templates/template-buttons';
import {
  fillIn,
  minutesOf,
  templateCategoryOf,
  templateStatusOf,
  valuesIn,
  variablesOf,
  templateQualityOf,
} from '../templates/template-words-mapping';

/** Longest label of a template. */
const LONGEST_LABEL = 180;

const SAMPLE_CODE = '123456';

/** The form that creates a template and submits it for moderation. */
export function formForCreation(template: TemplateDefinition): URLSearchParams {
  const { name, language } = template;
  const form = formForEdit(template);
  form.set('elementName', name);
  form.set('languageCode', language);
  form.set('vertical', name.slice(0, LONGEST_LABEL));
  form.set('allowTemplateCategoryChange', 'false');
  return form;
}

/**
 * The form that changes a template's content and submits it again. The text of an authentication template is WhatsApp's
 * own, and its footer is made of the minutes.
 * Source: Gupshup, "Apply for templates": `addSecurityRecommendation`, `codeExpirationMinutes`.
 */
export function formForEdit(template: TemplateDefinition): URLSearchParams {
  const { category, header, body, footer, buttons, examples } = template;
  const form = new URLSearchParams({
    category: category.toUpperCase(),
    templateType: header && header.format !== 'text' ? header.format.toUpperCase() : 'TEXT',
    content: body,
  });
  const samples = category === 'authentication' ? [SAMPLE_CODE] : (examples.body ?? []);
  // A variable is no sample of itself.
  if (samples.length === variablesOf(body).length) {
    form.set('example', fillIn(body, samples));
    form.set('enableSample', 'true');
  }
  if (header?.format === 'text') {
    form.set('header', header.text);
    const sample = examples.header === undefined ? [] : [examples.header];
    if (sample.length >= variablesOf(header.text).length)
      form.set('exampleHeader', fillIn(header.text, sample));
  } else if (header && examples.header !== undefined) {
    form.set('exampleMedia', examples.header);
  }
  if (category === 'authentication') {
    form.set('addSecurityRecommendation', String(template.addSecurityRecommendation));
    const { codeExpirationMinutes: minutes } = template;
    if (minutes !== null) form.set('codeExpirationMinutes', String(minutes));
  } else if (footer !== null) form.set('footer', footer);
  if (buttons.length > 0) form.set('buttons', JSON.stringify(buttons.map(buttonForCreation)));
  return form;
}

/** Gupshup keeps the parts of a template as JSON inside a text. Undefined: it tells none; null: they cannot be read. */
function partsOf(listed: unknown): unknown {
  const text = textOf(fieldOf(listed, 'containerMeta'));
  return text === '' ? undefined : readBody(Buffer.from(text), false, '').json;
}

/** A template as Gupshup lists it; null when the value is no template, or cannot be read. */
export function gupshupTemplateOf(listed: unknown): ProviderTemplate | null {
  const providerId = textOf(fieldOf(listed, 'id'));
  const name = textOf(fieldOf(listed, 'elementName'));
  const language = textOf(fieldOf(listed, 'languageCode'));
  const parts = partsOf(listed);
  if (providerId === '' || name === '' || language === '' || parts === null) return null;
  // The flat text may end with the buttons' labels, so it is used only where the parts are missing.
  const body = textOf(fieldOf(parts, 'data')) || textOf(fieldOf(listed, 'data'));
  return {
    providerId,
    name,
    language,
    category: templateCategoryOf(textOf(fieldOf(listed, 'category'))),
    parameterFormat: variablesOf(body).some((variable) => !/^\d+$/.test(variable)) ? 'named' : 'positional',
    status: templateStatusOf(textOf(fieldOf(listed, 'status'))),
    reason: textOf(fieldOf(listed, 'reason')) || null,
    quality: templateQualityOf(textOf(fieldOf(listed, 'quality'))),
    header: headerOf(textOf(fieldOf(listed, 'templateType')), textOf(fieldOf(parts, 'header'))),
    body,
    footer: textOf(fieldOf(parts, 'footer')) || null,
    addSecurityRecommendation: isTrue(fieldOf(parts, 'addSecurityRecommendation')),
    codeExpirationMinutes: minutesOf(fieldOf(parts, 'codeExpirationMinutes')),
    buttons: buttonsOf(fieldOf(parts, 'buttons')),
    examples: examplesOf(parts, body),
  };
}

/** Gupshup lists texts with their samples filled in. */
function examplesOf(parts: unknown, body: string): ProviderTemplate['examples'] {
  const [header] = valuesIn(textOf(fieldOf(parts, 'header')), textOf(fieldOf(parts, 'sampleHeader'))) ?? [];
  const samples = valuesIn(body, textOf(fieldOf(parts, 'sampleText')));
  return { ...(header !== undefined && { header }), ...(samples !== null && { body: samples }) };
}

/** Gupshup writes some values as texts. */
const isTrue = (given: unknown): boolean => given === true || given === 'true';

function headerOf(templateType: string, text: string): TemplateHeader | null {
  const format = templateType.toLowerCase();
  switch (format) {
    case 'image':
    case 'video':
    case 'document':
    case 'location':
      return { format };
    default:
      return text === '' ? null : { format: 'text', text };
  }
}
