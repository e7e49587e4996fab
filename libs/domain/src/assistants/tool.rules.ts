import type { FieldViolation } from '@app/contracts/coded.errors';
import { OWN_TOOL_NAMES, TOOL_FACTS, URL_LONGEST } from '@app/contracts/tool.words';
import type { ToolDefinition } from '@app/persistence/assistants/assistant-tool.repository';
import { violationOfHeader, HEADER_NAME } from './http-tool.port';
import { isObject, type JsonObject } from '@app/contracts/json-object';
import { violationOfArgumentName, violationsOfSchema } from './tool-schema.rules';

/** The defaults of a new tool. */
export const TOOL_DEFAULTS = {
  parameters: { type: 'object', properties: {} },
  auto_fill: {},
  timeout_ms: 10_000,
  enabled: true,
} as const satisfies Partial<ToolDefinition>;

type Optional = keyof typeof TOOL_DEFAULTS;

/** A new tool as it is given. Fields with a default may be left out. */
export type NewTool = Omit<ToolDefinition, Optional> & Partial<Pick<ToolDefinition, Optional>>;

const NAME = /^[a-z_][a-z0-9_]{0,63}$/;
const HEADERS_MAX = 20;

function violationOfName(name: string): string | null {
  if (!NAME.test(name)) {
    return 'must be 1 to 64 lower case letters, digits and underscores, no digit at first';
  }
  return OWN_TOOL_NAMES.some((own) => own === name) ? 'is the name of a tool that every agent has' : null;
}

/** Violations of the headers, each checked alone. */
export function violationsOfHeaders(headers: JsonObject): FieldViolation[] {
  const names = Object.keys(headers);
  if (names.length > HEADERS_MAX)
    return [{ path: 'headers', message: `must be at most ${HEADERS_MAX} headers` }];
  if (new Set(names.map((name) => name.toLowerCase())).size < names.length) {
    return [{ path: 'headers', message: 'must name no header twice, letter case aside' }];
  }
  return names.flatMap((name) => {
    if (!HEADER_NAME.test(name)) return [{ path: 'headers', message: 'has a name that no header can have' }];
    const message = violationOfHeader(name, headers[name]);
    return message === null ? [] : [{ path: `headers.${name}`, message }];
  });
}

function violationsOfAutoFill(autoFill: JsonObject): FieldViolation[] {
  return Object.entries(autoFill).flatMap(([name, fact]) => {
    const message = violationOfArgumentName(name);
    if (message !== null) return [{ path: 'auto_fill', message }];
    if (TOOL_FACTS.some((known) => known === fact)) return [];
    return [{ path: `auto_fill.${name}`, message: `must be one of ${TOOL_FACTS.join(', ')}` }];
  });
}

/**
 * Violations of each field, checked alone.
 * @param violationOfUrl why no call may be made to an address
 */
export function violationsOfTool(
  tool: Partial<ToolDefinition>,
  violationOfUrl: (url: string) => string | null,
): FieldViolation[] {
  const { name, url, parameters, auto_fill: autoFill } = tool;
  const violations: FieldViolation[] = [];
  const wrongName = name === undefined ? null : violationOfName(name);
  if (wrongName !== null) violations.push({ path: 'name', message: wrongName });
  if (url !== undefined) {
    const message =
      url.length > URL_LONGEST ? `must be at most ${URL_LONGEST} characters` : violationOfUrl(url);
    if (message !== null) violations.push({ path: 'url', message });
  }
  if (parameters) violations.push(...violationsOfSchema(parameters, 'parameters'));
  if (autoFill) violations.push(...violationsOfAutoFill(autoFill));
  return violations;
}

/** Names of the arguments that the model gives. */
const argumentsOf = ({ parameters }: Pick<ToolDefinition, 'parameters'>): string[] =>
  isObject(parameters.properties) ? Object.keys(parameters.properties) : [];

/** Violations of a tool whose fields are right alone and contradict each other. */
export function violationsTogether(tool: ToolDefinition): FieldViolation[] {
  const given = argumentsOf(tool);
  const violations = Object.keys(tool.auto_fill)
    .filter((name) => given.includes(name))
    .map((name) => ({
      path: `auto_fill.${name}`,
      message: 'must not stand in parameters.properties too: it is not the model that gives it',
    }));
  if (tool.method !== 'GET' && tool.method !== 'DELETE') return violations;
  const inAddress = new URL(tool.url).searchParams;
  for (const name of [...given, ...Object.keys(tool.auto_fill)]) {
    if (inAddress.has(name)) {
      violations.push({ path: 'url', message: `must not carry '${name}', which is an argument` });
    }
  }
  return violations;
}
