import type { Api } from '@app/client/api-client';
import { OPERATIONS } from '@app/client/operation-table';
import type { Operation } from '@app/client/api-calls';
import type { CliEnvironment } from '../cli-environment';
import { UsageError } from '../cli.errors';
import { requirePlace, writeStream } from '../output/file-writer';
import type { Invocation } from '../verbs/verb';
import { callOf, type OperationCall, type TypedValues } from './operation-arguments';

export interface CallGiven {
  operation?: string;
  data?: string;
  out?: string;
  requestId?: string;
}

type Caller = (path: string, call: object) => Promise<unknown>;

export const operationNamed = (id: string): Operation | undefined =>
  OPERATIONS.find((each) => each.id === id);

/** In whose name: of those who may, by whom the environment has. */
export type InTheNameOf = 'nobody' | 'key' | 'admin' | 'person';

export function inTheNameOf({ by }: Operation, environment: CliEnvironment): InTheNameOf {
  if (by.length === 0) return 'nobody';
  const [ways, hasPerson] = [new Set(by), environment.has('LEADLINE_EMAIL')];
  if (ways.has('ApiKey') && (environment.has('LEADLINE_API_KEY') || !hasPerson)) return 'key';
  if (ways.has('AdminKey') && (environment.has('LEADLINE_ADMIN_KEY') || !hasPerson)) return 'admin';
  return 'person';
}

function listOperations({ output }: Invocation): void {
  output.answer(OPERATIONS, () =>
    output.table(
      ['OPERATION', 'WHAT', 'BY', 'CALL'],
      OPERATIONS.map(({ id, summary, by, method, path }) => [
        ...[id, summary, by.join(' or ') || 'anybody', `${method.toUpperCase()} ${path}`],
      ]),
    ),
  );
}

async function callBy(api: Api, operation: Operation, call: OperationCall, given: CallGiven, by: Invocation) {
  const whole = { ...call, ...(given.requestId !== undefined && { requestId: given.requestId }) };
  if (operation.answer === 'file') {
    const signal = by.interrupted();
    const stream = await api.stream(operation.method, operation.path as never, { ...whole, signal } as never);
    return writeStream(stream, given.out, by.output, { signal });
  }
  const data = await (api[operation.method] as unknown as Caller)(operation.path, whole);
  by.output.answer(data, () => by.output.json(data));
}

/** Calls any operation of the service by its name; without one, lists them. */
export async function callOperation(
  given: CallGiven,
  typed: TypedValues,
  invocation: Invocation,
): Promise<void> {
  if (given.operation === undefined) return listOperations(invocation);
  const operation = operationNamed(given.operation);
  if (!operation) throw new UsageError(`There is no operation ${given.operation}: leadline call lists all`);
  if (given.out !== undefined && operation.answer !== 'file')
    throw new UsageError(`${operation.id} answers no file: leave --out away`);
  const { callers, environment, output } = invocation;
  if (operation.answer === 'file') requirePlace(given.out, output);
  const name = inTheNameOf(operation, environment);
  const apis = {
    nobody: () => callers.byNobody(),
    key: () => callers.byKey(),
    admin: () => callers.byAdminKey(),
  };
  if (name !== 'person') {
    const api = apis[name]();
    return callBy(api, operation, await callOf(operation, typed, given.data), given, invocation);
  }
  environment.person();
  const call = await callOf(operation, typed, given.data);
  await callers.bySession((api) => callBy(api, operation, call, given, invocation));
}
