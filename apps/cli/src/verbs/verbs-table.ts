import { CHANNELS } from '@app/contracts/message.words';
import { ENCODING_CHOICES } from '@app/contracts/values/text-encoding';
import { showBatch } from './batch-action';
import { exportLeads, checkImport, importLeads } from './transfer-actions';
import { listLeads, listStages, setStatus, showLead, switchAi } from './leads-actions';
import { listRuns, listScenarios } from './scenarios-actions';
import { send } from './send-action';
import { tail } from './tail-action';
import { DEMO, verb, type AnyVerb } from './verb';

const thread = { type: 'string', describe: 'The dialog, thread_<uuid>', demandOption: true } as const;
const assistant = {
  type: 'string',
  describe: 'Of this agent; needed where the key has several',
  requiresArg: true,
} as const;
const limit = { type: 'number', describe: 'How many at most', default: 50, requiresArg: true } as const;

const channel = {
  choices: CHANNELS,
  describe: 'By which of its numbers',
  demandOption: true,
  requiresArg: true,
} as const;

const encoding = {
  choices: ENCODING_CHOICES,
  describe: 'How the file is written, where its words do not tell it',
  requiresArg: true,
} as const;

const STAGES = verb({
  command: 'stages',
  about: 'The stages of an agent’s funnel',
  examples: [
    ['stages', 'of the agent of your key'],
    [`stages --assistant ${DEMO.assistant} --json`, 'for programs'],
  ],
  arguments: (yargs) => yargs.option('assistant', assistant),
  act: (given, invocation) => listStages(given, invocation),
});

const LEADS = verb({
  command: 'leads',
  about: 'The leads, the last active first',
  examples: [
    ['leads', 'of all agents of your key'],
    ['leads --status "В работе"', 'at one stage, by its name in any case or by its id; none: at none'],
    ['leads --limit 500 --json', 'for programs'],
  ],
  arguments: (yargs) =>
    yargs
      .option('assistant', { ...assistant, describe: 'Of this agent' })
      .option('status', {
        type: 'string',
        describe: 'At this stage: its name or id, or none',
        requiresArg: true,
      })
      .option('limit', limit),
  act: (given, invocation) => listLeads(given, invocation),
});

const LEAD = verb({
  command: 'lead <thread>',
  about: 'Where one lead stands',
  examples: [[`lead ${DEMO.thread}`, 'its stage, and who conducts the dialog']],
  arguments: (yargs) => yargs.positional('thread', thread),
  act: (given, invocation) => showLead(given, invocation),
});

const SET_STATUS = verb({
  command: 'set-status <thread> <stage>',
  about: 'Move a lead to a stage',
  examples: [
    [`set-status ${DEMO.thread} оплачено`, 'by the name of the stage, in any case'],
    [`set-status ${DEMO.thread} ${DEMO.stage}`, 'by its id'],
    [`set-status ${DEMO.thread} оплачено --expect ${DEMO.stage}`, 'only if it stands there still'],
    [`set-status ${DEMO.thread} none`, 'to no stage'],
    [`set-status ${DEMO.thread} оплачено --answer`, 'and the agent answers what waits'],
  ],
  arguments: (yargs) =>
    yargs
      .positional('thread', thread)
      .positional('stage', {
        type: 'string',
        describe: 'The stage: its name or id; none clears',
        demandOption: true,
      })
      .option('answer', { type: 'boolean', describe: 'Let the agent answer a message that waits' })
      .option('expect', {
        type: 'string',
        describe: 'Move only if the lead is at this stage: its name or id, or none',
        requiresArg: true,
      }),
  act: (given, invocation) => setStatus(given, invocation),
});

const AI = verb({
  command: 'ai <switch> <thread>',
  about: 'Switch the agent on or off in one dialog',
  examples: [
    [`ai off ${DEMO.thread}`, 'from now on no part of a reply leaves'],
    [`ai on ${DEMO.thread}`, 'and it answers what waits'],
  ],
  arguments: (yargs) =>
    yargs
      .positional('switch', { choices: ['on', 'off'] as const, describe: 'on or off', demandOption: true })
      .positional('thread', thread),
  act: (given, invocation) => switchAi(given, invocation),
});

const SEND = verb({
  command: 'send',
  about: 'Send a template to phones',
  examples: [
    [
      `send --bot ${DEMO.bot} --channel waba_coexistence --template order_ready --to +77015551013 +77015551014`,
      'to these',
    ],
    [
      `send --bot ${DEMO.bot} --channel waba_coexistence --template visit_reminder --to +77015551013 --param Айгуль --param 15:30`,
      'with values of {{1}} and {{2}}',
    ],
    [
      `send --bot ${DEMO.bot} --channel waba_coexistence --template visit_reminder --csv list.csv`,
      'a column "phone", and a column for each value in order',
    ],
    [
      `send --bot ${DEMO.bot} --channel waba_coexistence --template visit_reminder --csv list.csv --param "{name}" --param 15:30`,
      'values by the names of columns',
    ],
  ],
  arguments: (yargs) =>
    yargs
      .option('bot', { type: 'string', describe: 'Who sends', demandOption: true, requiresArg: true })
      .option('channel', channel)
      .option('template', {
        type: 'string',
        describe: 'Its template_id',
        demandOption: true,
        requiresArg: true,
      })
      .option('language', { type: 'string', describe: 'Of the template; by default ru', requiresArg: true })
      .option('to', { type: 'string', array: true, describe: 'Phones, with plus and digits' })
      .option('csv', {
        type: 'string',
        describe: 'A file with the column phone; - reads stdin',
        requiresArg: true,
      })
      .option('encoding', encoding)
      .option('param', {
        type: 'string',
        array: true,
        nargs: 1,
        describe: 'A value of the text, in order; of a file {name} is its column',
      })
      .option('idempotency-key', {
        type: 'string',
        describe: 'Give the same again to repeat a command without an answer: nothing is sent twice',
        requiresArg: true,
      })
      .option('wait', { type: 'boolean', describe: 'Until each has been sent or has failed' })
      .conflicts('to', 'csv')
      .check(({ to, csv }) => {
        if (csv === undefined && (to ?? []).length === 0)
          throw new Error('Give phones by --to, or a file by --csv');
        return true;
      }),
  act: (given, invocation) => send(given, invocation),
});

const BATCH = verb({
  command: 'batch <id>',
  about: 'How far a list is',
  examples: [
    [`batch ${DEMO.batch}`, 'as it is now, with what failed'],
    [`batch ${DEMO.batch} --wait`, 'until nothing of it waits, with a bar on a terminal'],
  ],
  arguments: (yargs) =>
    yargs
      .positional('id', { type: 'string', describe: 'The batch_id that send told', demandOption: true })
      .option('wait', { type: 'boolean', describe: 'Until nothing of it waits any more' }),
  act: (given, invocation) => showBatch(given, invocation),
});

const TAIL = verb({
  command: 'tail',
  about: 'What happens in the dialogs of an agent, as it happens',
  examples: [
    ['tail', 'until Ctrl-C; nothing is missed when the service restarts'],
    ['tail --json | jq -r .thread_id', 'a line of JSON for each event'],
    ['tail --json --since 4711', 'go on behind the event with that seq'],
  ],
  arguments: (yargs) =>
    yargs.option('assistant', assistant).option('since', {
      type: 'string',
      describe: 'Behind the event with this seq, or seq@time; some of the half minute before come again',
      requiresArg: true,
    }),
  act: (given, invocation) => tail(given, invocation),
});

const IMPORT = verb({
  command: 'import [file]',
  about: 'Take leads in from a CSV file',
  examples: [
    [
      `import leads.csv --assistant ${DEMO.assistant} --bot ${DEMO.bot} --channel waba_coexistence --dry-run`,
      'what would happen, and the faults by row',
    ],
    [
      `import leads.csv --assistant ${DEMO.assistant} --bot ${DEMO.bot} --channel waba_coexistence`,
      'columns phone, name, status, assignee',
    ],
    [`import --resume ${DEMO.import}`, 'look again at one that goes on'],
  ],
  arguments: (yargs) =>
    yargs
      .positional('file', { type: 'string', describe: 'The file' })
      .option('assistant', { ...assistant, describe: 'Whose leads they are' })
      .option('bot', { type: 'string', describe: 'Of their dialogs', requiresArg: true })
      .option('channel', { choices: CHANNELS, describe: 'By which of its numbers', requiresArg: true })
      .option('dry-run', { type: 'boolean', describe: 'Say what would happen, and change nothing' })
      .option('encoding', encoding)
      .option('start-scenarios', { type: 'boolean', describe: 'Start scenarios, which write to customers' })
      .option('resume', {
        type: 'string',
        describe: 'Look at an import that was begun before',
        requiresArg: true,
      })
      .check((given) => checkImport(given)),
  act: (given, invocation) => importLeads(given, invocation),
});

const EXPORT = verb({
  command: 'export',
  about: 'Write the leads of an agent to a file',
  examples: [
    [`export --assistant ${DEMO.assistant} --out leads.csv`, 'as import takes it'],
    [`export --assistant ${DEMO.assistant} --format ndjson | head -1`, 'a lead a line'],
  ],
  arguments: (yargs) =>
    yargs
      .option('assistant', { ...assistant, describe: 'Whose leads', demandOption: true })
      .option('format', { choices: ['csv', 'ndjson'] as const, default: 'csv' as const, requiresArg: true })
      .option('out', { type: 'string', describe: 'A file, written whole or not at all', requiresArg: true }),
  act: (given, invocation) => exportLeads(given, invocation),
});

const SCENARIOS = verb({
  command: 'scenarios',
  about: 'The scenarios of the stages (LEADLINE_ADMIN_KEY)',
  examples: [
    ['scenarios', 'all, with their stages and states'],
    [`scenarios --assistant ${DEMO.assistant} --json`, 'of one agent, with their steps'],
  ],
  arguments: (yargs) => yargs.option('assistant', { ...assistant, describe: 'Of this agent' }),
  act: (given, invocation) => listScenarios(given, invocation),
});

const RUNS = verb({
  command: 'runs',
  about: 'The runs of scenarios, newest first (LEADLINE_ADMIN_KEY)',
  examples: [
    ['runs', 'of all dialogs'],
    [`runs --thread ${DEMO.thread}`, 'in one dialog'],
    ['runs --state failed --json', 'what failed, with every step'],
  ],
  arguments: (yargs) =>
    yargs
      .option('thread', { type: 'string', describe: 'In this dialog', requiresArg: true })
      .option('state', {
        choices: ['running', 'waiting', 'paused', 'done', 'failed', 'cancelled'] as const,
        describe: 'In this state',
        requiresArg: true,
      })
      .option('limit', limit),
  act: (given, invocation) => listRuns(given, invocation),
});

/** Every verb but `call`, whose arguments come from the table of operations. */
export const VERBS: readonly AnyVerb[] = [
  ...[STAGES, LEADS, LEAD, SET_STATUS, AI],
  ...[SEND, BATCH, TAIL, IMPORT, EXPORT],
  ...[SCENARIOS, RUNS],
];
