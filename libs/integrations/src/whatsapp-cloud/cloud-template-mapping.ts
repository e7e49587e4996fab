import type { TemplateHeader } from '@app/contracts/template.words';
import type { ProviderTemplate, TemplateDefinition } from '@app/domain/templates/template-gateway.port';
import { fieldOf, textOf } from '../http/shown-body';
import {
  buttonForCreation,
  buttonsOf,
  minutesOf,
  templateCategoryOf,
  templateQualityOf,
  templateStatusOf,
  variablesOf,
} from '../templates/template-words-mapping';

/** The body of a request that creates a template and submits it for moderation. */
export function templateForCreation(template: TemplateDefinition): object {
  const { name, language, category, parameterFormat } = template;
  const format = category === 'authentication' ? {} : { parameter_format: parameterFormat.toUpperCase() };
  return { name, language, ...format, ...templateForEdit(template) };
}

/** The body of a request that edits a template and submits it again. Its components replace all former ones. */
export function templateForEdit(template: TemplateDefinition): object {
  const { category, footer, buttons } = template;
  const texts =
    category === 'authentication'
      ? authenticationParts(template)
      : [
          ...(template.header ? [headerForCreation(template, template.header)] : []),
          bodyForCreation(template),
          ...(footer === null ? [] : [{ type: 'FOOTER', text: footer }]),
        ];
  return {
    category: category.toUpperCase(),
    components: [
      ...texts,
      ...(buttons.length > 0 ? [{ type: 'BUTTONS', buttons: buttons.map(buttonForCreation) }] : []),
    ],
  };
}

/** WhatsApp writes the texts (Meta: "Copy code authentication templates"). */
const authenticationParts = (template: TemplateDefinition): object[] => [
  { type: 'BODY', add_security_recommendation: template.addSecurityRecommendation },
  ...(template.codeExpirationMinutes === null
    ? []
    : [{ type: 'FOOTER', code_expiration_minutes: template.codeExpirationMinutes }]),
];

const named = (names: readonly string[], values: readonly string[]): object[] =>
  names.map((name, index) => ({ param_name: name, example: values[index] ?? '' }));

function headerForCreation(
  { parameterFormat, examples }: TemplateDefinition,
  header: TemplateHeader,
): object {
  const sample = examples.header;
  if (header.format !== 'text') {
    const example = sample === undefined ? {} : { example: { header_handle: [sample] } };
    return { type: 'HEADER', format: header.format.toUpperCase(), ...example };
  }
  const names = variablesOf(header.text);
  const component = { type: 'HEADER', format: 'TEXT', text: header.text };
  if (names.length === 0 || sample === undefined) return component;
  const isNamed = parameterFormat === 'named';
  const example = isNamed ? { header_text_named_params: named(names, [sample]) } : { header_text: [sample] };
  return { ...component, example };
}

function bodyForCreation({ body, parameterFormat, examples }: TemplateDefinition): object {
  const names = variablesOf(body);
  const samples = examples.body ?? [];
  if (names.length === 0 || samples.length === 0) return { type: 'BODY', text: body };
  const isNamed = parameterFormat === 'named';
  const example = isNamed ? { body_text_named_params: named(names, samples) } : { body_text: [samples] };
  return { type: 'BODY', text: body, example };
}

/** A template as the Graph API lists it; null when the value is no template, or cannot be read. */
export function templateOf(listed: unknown): ProviderTemplate | null {
  const providerId = fieldOf(listed, 'id');
  const name = textOf(fieldOf(listed, 'name'));
  const language = textOf(fieldOf(listed, 'language'));
  const components = fieldOf(listed, 'components');
  if ((typeof providerId !== 'string' && typeof providerId !== 'number') || name === '' || language === '')
    return null;
  if (!Array.isArray(components)) return null;
  const find = (type: string): unknown =>
    components.find((component) => textOf(fieldOf(component, 'type')).toUpperCase() === type);
  const reason = textOf(fieldOf(listed, 'rejected_reason'));
  const isNamed = textOf(fieldOf(listed, 'parameter_format')).toUpperCase() === 'NAMED';
  return {
    providerId: String(providerId),
    name,
    language: language.replaceAll('-', '_'),
    category: templateCategoryOf(textOf(fieldOf(listed, 'category'))),
    parameterFormat: isNamed ? 'named' : 'positional',
    status: templateStatusOf(textOf(fieldOf(listed, 'status'))),
    // Meta writes NONE where there is no reason.
    reason: reason === '' || reason.toUpperCase() === 'NONE' ? null : reason,
    quality: templateQualityOf(textOf(fieldOf(fieldOf(listed, 'quality_score'), 'score'))),
    header: headerOf(find('HEADER')),
    body: textOf(fieldOf(find('BODY'), 'text')),
    footer: textOf(fieldOf(find('FOOTER'), 'text')) || null,
    addSecurityRecommendation: fieldOf(find('BODY'), 'add_security_recommendation') === true,
    codeExpirationMinutes: minutesOf(fieldOf(find('FOOTER'), 'code_expiration_minutes')),
    buttons: buttonsOf(fieldOf(find('BUTTONS'), 'buttons')),
    examples: examplesOf(find('HEADER'), find('BODY')),
  };
}

/** Of a header's file an address is listed, which no submission takes. */
function examplesOf(header: unknown, body: unknown): ProviderTemplate['examples'] {
  const [sample] = samplesIn(header, 'header_text') ?? [];
  const samples = samplesIn(body, 'body_text');
  return { ...(sample !== undefined && { header: sample }), ...(samples && { body: samples }) };
}

/** A sample for each variable of a text, in their order; null where one lacks, and where there are none. */
function samplesIn(component: unknown, field: string): string[] | null {
  const names = variablesOf(textOf(fieldOf(component, 'text')));
  const example = fieldOf(component, 'example');
  const ofNames = fieldOf(example, `${field}_named_params`);
  const given = fieldOf(example, field);
  // A body has a list of samples, a header one.
  const ofPlaces: unknown = Array.isArray(given) && Array.isArray(given[0]) ? given[0] : given;
  const samples = names.map((name, place) =>
    Array.isArray(ofNames)
      ? textOf(
          fieldOf(
            ofNames.find((one) => fieldOf(one, 'param_name') === name),
            'example',
          ),
        )
      : textOf(Array.isArray(ofPlaces) ? ofPlaces[place] : undefined),
  );
  return samples.length === 0 || samples.includes('') ? null : samples;
}

function headerOf(component: unknown): TemplateHeader | null {
  const format = textOf(fieldOf(component, 'format')).toLowerCase();
  switch (format) {
    case 'text':
      return { format, text: textOf(fieldOf(component, 'text')) };
    case 'image':
    case 'video':
    case 'document':
    case 'location':
      return { format };
    case '':
      return null;
    default:
      return { format: 'other' };
  }
}
