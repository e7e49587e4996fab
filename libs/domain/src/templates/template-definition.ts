import type { TemplateContent, TemplateRow } from '@app/persistence/templates/template.entity';
import type { TemplateDefinition } from './template-gateway.port';
import { parametersOf } from './template-variables';

/** A template of the registry as the rules and the providers need it. */
export function definitionOf(row: TemplateRow): TemplateDefinition {
  const { name, language, category, parameter_format, header, body, footer, buttons, examples } = row;
  return {
    addSecurityRecommendation: row.add_security_recommendation,
    codeExpirationMinutes: row.code_expiration_minutes,
    ...{ name, language, category, header, body, footer, buttons, examples },
    parameterFormat: parameter_format,
  };
}

/** The part of a definition that can be changed, and the counts derived from it. */
export function contentOf(definition: TemplateDefinition): TemplateContent {
  const { category, header, body, footer, buttons, examples, parameterFormat } = definition;
  const { count, names } = parametersOf(body, parameterFormat);
  return {
    ...{ category, header, body, footer },
    add_security_recommendation: definition.addSecurityRecommendation,
    code_expiration_minutes: definition.codeExpirationMinutes,
    buttons: [...buttons],
    examples: { ...examples, body: [...(examples.body ?? [])] },
    params_count: count,
    param_names: names,
  };
}
