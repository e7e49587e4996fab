import type { TemplateButton, TemplateHeader } from '@app/contracts/template.words';
import type { TemplateDefinition } from '@app/domain/templates/template-gateway.port';
import type { DraftRequest, TemplateChange } from '@app/domain/templates/templates.service';
import type { ChangeTemplateRequest } from './template-change.request';
import type {
  TemplateButtonRequest,
  TemplateExamplesRequest,
  TemplateHeaderRequest,
} from './template-content.request';
import type { CreateTemplateRequest } from './template.request';

const LANGUAGE_DEFAULT = 'ru';

/** A draft in the domain's form. Absent fields get defaults, and superfluous ones are left out. */
export function toDraft(body: CreateTemplateRequest): DraftRequest {
  return {
    botId: body.bot_id,
    channel: body.channel,
    templateId: body.template_id,
    name: body.name,
    language: body.language ?? LANGUAGE_DEFAULT,
    category: body.category,
    parameterFormat: body.parameter_format ?? 'positional',
    header: body.header ? toHeader(body.header) : null,
    body: body.body ?? '',
    footer: body.footer ?? null,
    addSecurityRecommendation: body.add_security_recommendation ?? false,
    codeExpirationMinutes: body.code_expiration_minutes ?? null,
    buttons: (body.buttons ?? []).map(toButton),
    examples: toExamples(body.examples ?? {}),
  };
}

/** A change in the domain's form. Absent fields stay absent. */
export function toChange(request: ChangeTemplateRequest): TemplateChange {
  const { category, header, body, footer, buttons, examples } = request;
  const { add_security_recommendation: advice, code_expiration_minutes: minutes } = request;
  return {
    ...(advice !== undefined && { addSecurityRecommendation: advice }),
    ...(minutes !== undefined && { codeExpirationMinutes: minutes }),
    ...(category !== undefined && { category }),
    ...(header !== undefined && { header: header && toHeader(header) }),
    ...(body !== undefined && { body }),
    ...(footer !== undefined && { footer }),
    ...(buttons !== undefined && { buttons: buttons.map(toButton) }),
    ...(examples !== undefined && { examples: toExamples(examples) }),
  };
}

function toExamples(examples: TemplateExamplesRequest): TemplateDefinition['examples'] {
  const { header, media_id, body = [] } = examples;
  return { ...(header !== undefined && { header }), ...(media_id !== undefined && { media_id }), body };
}

function toHeader({ format, text = '' }: TemplateHeaderRequest): TemplateHeader {
  return format === 'text' ? { format, text } : { format };
}

function toButton(button: TemplateButtonRequest): TemplateButton {
  const { type, text = '', url = '', phone_number = '' } = button;
  if (type === 'otp') return { type, text, otp_type: button.otp_type ?? 'copy_code' };
  if (type === 'url') return { type, text, url };
  if (type === 'phone_number') return { type, text, phone_number };
  return { type, text };
}
