import type { Method } from '@app/client/api.calls';
import { ApiError } from '@app/client/api.error';
import { createLeadlineClient, type LeadlineClient } from '@app/client/leadline.client';
import type { DemoFile } from '../../../apps/demo/src/demo.file';
import { request } from './api.client';
import { OPERATION_CALLS, type OperationCall, type OperationName, type Walk } from './operation.calls';
import { bodiesOf, formOf, parameterOf } from './openapi.samples';
import { signIn } from './session.client';

type Schema = Record<string, any>;

/** The call of an operation by the example that the document gives of it: what the page /docs fills in. */
export function exampleCall(name: string, document: Schema): { params: Schema; body?: unknown } {
  const [method = '', path = ''] = name.split(' ');
  const operation: Schema = document.paths[path][method.toLowerCase()];
  const inPath = ((operation.parameters ?? []) as Schema[]).filter((parameter) => parameter.in === 'path');
  const params = { path: Object.fromEntries(inPath.map((each) => [each.name as string, parameterOf(each)])) };
  if (operation.requestBody?.content['multipart/form-data']) {
    const form = new FormData();
    for (const { name: field, required, file, text } of formOf(operation, document))
      if (required)
        form.set(field, file ? new File([file.content], file.name, { type: file.type }) : String(text));
    return { params, body: form };
  }
  const [[, body] = ['', undefined]] = bodiesOf(operation, document);
  return { params, body };
}

type Callers = Record<OperationCall['by'], LeadlineClient>;

/** As the compiler cannot know it where the operation is any of them. */
type AnyCaller = Record<Method, (path: string, call: object) => Promise<unknown>> & {
  file(method: Method, path: string, call: object): Promise<unknown>;
};

/** Clients of a running demo, one for each that may call. */
async function callersOf(
  { base_url: baseUrl, admin_key, admin_user }: DemoFile,
  key: string,
): Promise<Callers> {
  const { email, password } = admin_user;
  const session = await signIn(baseUrl, email, password);
  const Origin = baseUrl;
  return {
    nobody: createLeadlineClient({ baseUrl, headers: { Origin } }),
    key: createLeadlineClient({ baseUrl, apiKey: key }),
    admin: createLeadlineClient({ baseUrl, apiKey: admin_key }),
    person: createLeadlineClient({
      ...{ baseUrl, headers: { Origin, Cookie: session.cookie }, csrf: () => session.csrfToken },
    }),
  };
}

/** What was answered, in the words of the table: the expected word where it is true. */
function said(expected: OperationCall['answers'], data: unknown): unknown {
  if (data instanceof Blob) return data.size > 0 ? 'file' : 'an empty file';
  const fields = Object.keys(data as object);
  if (expected === null) return fields.length === 0 ? null : fields;
  return typeof expected !== 'object' && Object.hasOwn(data as object, expected) ? expected : fields;
}

/** Calls each operation of the table once. @returns what was answered otherwise than the table says, by operation */
export async function walkOperations(demo: DemoFile, key: string): Promise<Record<string, unknown>> {
  const { body: document } = await request(`${demo.base_url}/openapi.json`);
  const callers = await callersOf(demo, key);
  const other = await signIn(demo.base_url, demo.admin_user.email, demo.admin_user.password);
  const { body: listed } = await other.call('auth/sessions');
  const answers: Record<string, unknown> = {};
  const walk: Walk = {
    answerOf: (name) => answers[name] as never,
    admin: demo.admin_user,
    otherSession: (listed.data as Schema[]).find(({ current }) => current)?.id as string,
  };
  const wrong: Record<string, unknown> = {};
  for (const [name, { by, given, answers: expected }] of Object.entries(OPERATION_CALLS) as [
    OperationName,
    OperationCall,
  ][]) {
    const [method = '', path = ''] = name.split(' ');
    const call = given?.(walk) ?? exampleCall(name, document);
    const client = callers[by] as unknown as AnyCaller;
    const verb = method.toLowerCase() as Method;
    const answer = expected === 'file' ? client.file(verb, path, call) : client[verb](path, call);
    const found = await answer.then(
      (data) => {
        answers[name] = data;
        return said(expected, data);
      },
      (error: Error) => (error instanceof ApiError ? { refused: error.code, message: error.message } : error),
    );
    const isRight =
      typeof expected === 'object' && expected !== null
        ? (found as { refused?: string }).refused === expected.refused
        : found === expected;
    if (!isRight) wrong[name] = found;
  }
  return wrong;
}
