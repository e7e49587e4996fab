import type { DemoFile } from '../../../apps/demo/src/demo-file';
import { ApiError } from '@app/client/api.errors';
import { CATALOG, type CatalogRow, type DemoWalk, type OperationName } from '../operations.catalog';
import { request } from './api.client';
import { bodiesOf, formOf, parameterOf } from './openapi.samples';
import { signIn } from './session.client';

type Schema = Record<string, any>;

/** What is given to an operation. */
export interface Given {
  params?: { path?: Record<string, unknown> };
  body?: unknown;
}

/** The call of an operation by the example that the document gives of it: what the page /docs fills in. */
export function exampleCall(name: string, document: Schema): Given {
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

export type Caller = 'nobody' | 'key' | 'admin' | 'person';

/** By whom of a demo an operation is called. */
const BY: Record<CatalogRow['who'], Caller> = {
  ...({ anybody: 'nobody', lead: 'key', message: 'key', dialog: 'key', person: 'person' } as const),
  ...({ reader: 'admin', admin: 'admin', installation: 'admin' } as const),
};

/** Does one call. @returns `data` of the answer, or the file @throws ApiError: it was refused */
export type DoOperation = (
  name: OperationName,
  by: Caller,
  answers: CatalogRow['answers'],
  given: Given,
) => Promise<unknown>;

/** What was answered, in the words of the catalog: the expected word where it is true. */
function said(expected: CatalogRow['answers'], data: unknown): unknown {
  if (data instanceof Blob) return data.size > 0 ? 'file' : 'an empty file';
  const fields = Object.keys(data as object);
  if (expected === null) return fields.length === 0 ? null : fields;
  return typeof expected !== 'object' && Object.hasOwn(data as object, expected) ? expected : fields;
}

/** Calls each operation of the catalog once. @returns what was answered otherwise than the catalog says, by operation */
export async function walkOperations(demo: DemoFile, act: DoOperation): Promise<Record<string, unknown>> {
  const { body: document } = await request(`${demo.base_url}/openapi.json`);
  const other = await signIn(demo.base_url, demo.admin_user.email, demo.admin_user.password);
  const { body: listed } = await other.call('auth/sessions');
  const answers: Record<string, unknown> = {};
  const walk: DemoWalk = {
    answerOf: (name) => answers[name] as never,
    admin: demo.admin_user,
    otherSession: (listed.data as Schema[]).find(({ current }) => current)?.id as string,
  };
  const wrong: Record<string, unknown> = {};
  for (const [name, row] of Object.entries(CATALOG) as [OperationName, CatalogRow][]) {
    const { who, inDemo, answers: expected } = row;
    const given = (inDemo?.(walk) as Given | undefined) ?? exampleCall(name, document);
    const found = await act(name, BY[who], expected, given).then(
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
