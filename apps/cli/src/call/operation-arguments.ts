import type { Operation, OperationField } from '@app/client/api-calls';
import { UsageError } from '../cli.errors';
import { addFile, bytesOf } from '../input-reader';

/** What was typed for the fields of an operation, by their names. */
export type TypedValues = Readonly<Record<string, unknown>>;

/** The parts of a call, as the client takes them. */
export interface OperationCall {
  params: Record<'path' | 'query' | 'header', Record<string, unknown>>;
  body?: unknown;
}

/** As an option: Idempotency-Key is --idempotency-key. */
export const optionOf = ({ name }: OperationField): string => name.toLowerCase();

const json = (text: string, what: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new UsageError(`${what} is no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
};

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** @throws UsageError: the field takes something else */
function valueOf(field: OperationField, typed: unknown): unknown {
  const option = `--${optionOf(field)}`;
  const texts = (Array.isArray(typed) ? typed : [typed]).map(String);
  const [text = '', ...others] = texts;
  if (field.nullable && text === 'null' && others.length === 0) return null;
  if (field.kind === 'strings') {
    const whole = others.length === 0 && text.startsWith('[') ? json(text, option) : texts;
    return whole;
  }
  if (others.length > 0) throw new UsageError(`${option} is given twice`);
  switch (field.kind) {
    case 'number':
      if (text.trim() === '' || !Number.isFinite(Number(text)))
        throw new UsageError(`${option} takes a number`);
      return Number(text);
    case 'boolean':
      if (text !== 'true' && text !== 'false') throw new UsageError(`${option} takes true or false`);
      return text === 'true';
    case 'json':
      return jsonOrText(text);
    default:
      return text;
  }
}

/** The whole body: JSON, a file of it, or what is piped in. @throws UsageError */
async function bodyGiven(data: string): Promise<Record<string, unknown>> {
  const path = data === '-' ? data : data.startsWith('@') ? data.slice(1) : null;
  const text = path === null ? data : (await bytesOf(path)).toString();
  const body = json(text, '--data');
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new UsageError('--data takes a JSON object');
  return body as Record<string, unknown>;
}

async function formOf(fields: readonly OperationField[], values: Record<string, unknown>): Promise<FormData> {
  const form = new FormData();
  const isFile = (name: string): boolean => fields.some((each) => each.name === name && each.kind === 'file');
  for (const [name, value] of Object.entries(values)) {
    if (isFile(name)) await addFile(form, name, String(value));
    else form.append(name, String(value));
  }
  return form;
}

/**
 * Puts what was typed into its places. Fields go over those of `--data`.
 * @throws UsageError: something is missing, or of another kind
 */
export async function callOf(
  operation: Operation,
  typed: TypedValues,
  data?: string,
): Promise<OperationCall> {
  const call: OperationCall = { params: { path: {}, query: {}, header: {} } };
  const body: Record<string, unknown> = data === undefined ? {} : await bodyGiven(data);
  for (const field of operation.fields) {
    const given = typed[optionOf(field)];
    if (given === undefined) {
      if (field.required && field.in !== 'body')
        throw new UsageError(`${operation.id} needs --${optionOf(field)}`);
      continue;
    }
    const value = valueOf(field, given);
    if (field.in === 'body') body[field.name] = value;
    else call.params[field.in][field.name] = value;
  }
  if (operation.body === 'none') {
    if (data !== undefined) throw new UsageError(`${operation.id} takes no --data`);
    return call;
  }
  return { ...call, body: operation.body === 'form' ? await formOf(operation.fields, body) : body };
}
