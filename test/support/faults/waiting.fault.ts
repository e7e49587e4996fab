import { isWaiting } from '@app/persistence/threads/thread.rules';
import { overrideQueries } from './fault.injection';

/** The rule, with a group for the alias of the row. */
const RULE = new RegExp(
  isWaiting('@').replaceAll(/[().]/g, '\\$&').replace('@', '(\\w+)').replace('@', '\\1'),
  'g',
);

/** Waiting means something else: a customer's message waits until two messages of ours are stored after it. */
export const inject = (): void =>
  overrideQueries((_, { given, make }) => {
    if (typeof given === 'object')
      given.text = given.text.replaceAll(RULE, (rule) =>
        rule.replace('answer_count = 0', 'answer_count < 2'),
      );
    return make();
  });
