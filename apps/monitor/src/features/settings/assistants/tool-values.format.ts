import type { ChangeToolRequest, CreateToolRequest, ToolAnswer } from '@app/client/api-types';
import { filled } from '../parts/forms/field-checks.format';
import { settingsWords } from '../settings.words';
import { toolsWords } from './tools.words';

export type Fact = ToolAnswer['auto_fill'][string];

export const FACTS: readonly Fact[] = [
  'thread_id',
  'phone',
  'customer_name',
  'assistant_id',
  'bot_id',
  'channel',
  'status_id',
];

/** What stands in the form. */
export interface ToolValues {
  name: string;
  description: string;
  method: ToolAnswer['method'];
  url: string;
  /** As it is typed. */
  parameters: string;
  auto_fill: { argument: string; fact: Fact }[];
  /** Null: they stay as they are. */
  headers: { name: string; value: string }[] | null;
  timeout_ms: number | null;
  enabled: boolean;
}

export const NEW_TOOL: ToolValues = {
  name: '',
  description: '',
  method: 'POST',
  url: 'https://',
  parameters: '',
  auto_fill: [],
  headers: [],
  timeout_ms: 10_000,
  enabled: true,
};

/** The service's own word for a tool to which the model gives nothing. */
const NOTHING = { type: 'object', properties: {} };

const isNothing = (parameters: object): boolean => JSON.stringify(parameters) === JSON.stringify(NOTHING);

export const valuesOfTool = (tool: ToolAnswer): ToolValues => ({
  name: tool.name,
  description: tool.description,
  method: tool.method,
  url: tool.url,
  parameters: isNothing(tool.parameters) ? '' : JSON.stringify(tool.parameters, null, 2),
  auto_fill: Object.entries(tool.auto_fill).map(([argument, fact]) => ({ argument, fact })),
  headers: null,
  timeout_ms: tool.timeout_ms,
  enabled: tool.enabled,
});

/** Null: no JSON object. */
function objectOf(text: string): Record<string, unknown> | null {
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === 'object' && read !== null && !Array.isArray(read)
      ? (read as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

/** As the operation takes it, where the form has no violations. */
export const requestOfTool = (values: ToolValues): CreateToolRequest & ChangeToolRequest => ({
  name: values.name.trim(),
  description: values.description.trim(),
  method: values.method,
  url: values.url.trim(),
  parameters: values.parameters.trim() === '' ? NOTHING : (objectOf(values.parameters) ?? {}),
  auto_fill: Object.fromEntries(values.auto_fill.map(({ argument, fact }) => [argument.trim(), fact])),
  ...(values.headers && {
    headers: Object.fromEntries(values.headers.map(({ name, value }) => [name.trim(), value])),
  }),
  timeout_ms: values.timeout_ms ?? undefined,
  enabled: values.enabled,
});

const isTwice = (names: string[], name: string): boolean =>
  names.filter((other) => other.trim().toLowerCase() === name.trim().toLowerCase()).length > 1;

const say = toolsWords.say;

export const toolChecks = {
  name: (name: string) => (/^[a-z_][a-z0-9_]{0,63}$/.test(name.trim()) ? null : say('nameWrong')),
  description: filled(1_024),
  url: filled(2_000),
  parameters: (text: string) => (text.trim() === '' || objectOf(text) ? null : say('parametersWrong')),
  auto_fill: {
    argument: (argument: string, { auto_fill: all }: ToolValues) =>
      argument.trim() === ''
        ? settingsWords.say('required')
        : isTwice(
              all.map((each) => each.argument),
              argument,
            )
          ? say('twice')
          : null,
  },
  headers: {
    name: (name: string, { headers }: ToolValues) =>
      name.trim() === ''
        ? settingsWords.say('required')
        : isTwice(
              (headers ?? []).map((each) => each.name),
              name,
            )
          ? say('twice')
          : null,
    value: (value: string) => (value === '' ? settingsWords.say('required') : null),
  },
  timeout_ms: (value: number | null) =>
    value === null || value < 1_000 || value > 30_000
      ? settingsWords.say('outOfRange', { min: 1, max: 30 })
      : null,
};
