import type { OperationField } from '@app/client/api-calls';
import type { Argv } from 'yargs';
import { DEMO, verb, type AnyVerb } from '../verbs/verb';
import { callOperation, operationNamed, type CallGiven } from './call-action';
import { optionOf } from './operation-arguments';

const wordsOf = ({ kind, nullable, words }: OperationField): string => {
  const takes = {
    ...{ string: 'text', number: 'number', boolean: 'true or false' },
    ...{ strings: 'text, may be repeated', json: 'JSON or text', file: 'path of a file' },
  }[kind];
  return `[${words ? words.join(', ') : takes}${nullable ? ', or null' : ''}]`;
};

/** What follows one of these is its value, and not the operation. */
const VALUED = ['--data', '--out', '--request-id'];

/** The options that an operation has of its own. */
function withFields(yargs: Argv, id: string | undefined): Argv {
  const operation = id === undefined ? undefined : operationNamed(id);
  if (!operation) return yargs;
  return operation.fields.reduce(
    (grown, field) =>
      grown.option(optionOf(field), {
        type: 'string',
        ...(field.kind === 'strings' && { array: true, nargs: 1 }),
        describe: `${field.required ? '(needed) ' : ''}${field.about} ${wordsOf(field)}`.trim(),
        group: `${operation.id}: ${operation.summary} (${operation.by.join(' or ') || 'anybody'})`,
        requiresArg: true,
      }),
    yargs,
  );
}

/** The verb that reaches every operation. @param words what was typed, by which it is known which operation is meant */
export const callVerb = (words: readonly string[]): AnyVerb =>
  verb({
    command: 'call [operation]',
    about: 'Call any operation of the service by its name',
    examples: [
      ['call', 'lists the operations'],
      ['call getFunnelFigures --help', 'what one takes'],
      [`call setName --thread_id ${DEMO.thread} --name Елена`, 'fields as options'],
      [`call getThreads --data '{"waiting": true, "limit": 5}'`, 'the whole body; @file and - as well'],
      ['call listAudit --limit 5', 'of administrators: by LEADLINE_ADMIN_KEY'],
      ['call me', 'of people: by LEADLINE_EMAIL and LEADLINE_PASSWORD'],
    ],
    arguments: (yargs) =>
      withFields(
        yargs
          .positional('operation', {
            type: 'string',
            describe: 'Its name; without one, all are listed',
          })
          .option('data', {
            type: 'string',
            describe: 'The body: JSON, @file, or - for stdin',
            requiresArg: true,
          })
          .option('out', {
            type: 'string',
            describe: 'Where a file that is answered goes',
            requiresArg: true,
          })
          .option('request-id', {
            type: 'string',
            describe: 'A name of your own for the call',
            requiresArg: true,
          }),
        words.find((word, at) => operationNamed(word) && !VALUED.includes(words[at - 1] ?? '')),
      ),
    act: (given, invocation) => callOperation(given as CallGiven, given, invocation),
  });
