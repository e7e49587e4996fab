import type { DialogRecords, KeptEvent, KeptThread } from './dialog.records';

/** What is known of a dialog before and after a storm of calls. */
export interface StormReport {
  /** What each call came to: changed, unchanged, conflict, lost (no answer came), or something worse. */
  answers: string[];
  before: KeptThread;
  after: KeptThread;
  events: KeptEvent[];
  /** The versions of the moves that started a scenario; each stage has one that is enabled. */
  runVersions: number[];
}

/** Reads what is stored of a dialog after a storm. */
export async function reportStorm(
  kept: DialogRecords,
  threadId: string,
  before: KeptThread,
  answers: string[],
): Promise<StormReport> {
  return {
    answers,
    before,
    after: await kept.thread(threadId),
    events: await kept.events(threadId),
    runVersions: (await kept.runs(threadId)).map(({ version }) => version),
  };
}

/**
 * What is wrong with a dialog after a storm, held against the promise: its history is one unbroken chain, and the
 * changes answered, the entries and the scenarios started are the same in number.
 */
export function violationsOfChain(report: StormReport): string[] {
  return [...violationsOfMoves(report), ...violationsOfRuns(report)];
}

/** The same where no stage starts scenarios. */
export function violationsOfMoves(report: StormReport): string[] {
  return [...violationsOfAnswers(report), ...violationsOfLinks(report), ...violationsOfEnd(report)];
}

function violationsOfAnswers({ answers, events }: StormReport): string[] {
  const faults: string[] = [];
  const count = (word: string): number => answers.filter((answer) => answer === word).length;
  const known = ['changed', 'unchanged', 'conflict', 'lost'];
  for (const answer of new Set(answers)) if (!known.includes(answer)) faults.push(`an answer was ${answer}`);
  // A change whose answer was lost may have happened or not.
  const [least, most] = [count('changed'), count('changed') + count('lost')];
  if (events.length < least || events.length > most) {
    faults.push(`${least} changes answered, ${events.length} in the history`);
  }
  return faults;
}

function violationsOfRuns({ events, runVersions }: StormReport): string[] {
  const entered = events.filter(({ type, to }) => type === 'status' && to !== null);
  const versions = entered.map(({ version }) => version);
  if (JSON.stringify(runVersions) === JSON.stringify(versions)) return [];
  return [`${runVersions.length} scenarios started for ${versions.length} stages entered`];
}

function violationsOfLinks({ before, events }: StormReport): string[] {
  const faults: string[] = [];
  const standing: Record<string, unknown> = {
    status: before.status_id,
    ai: before.ai_enabled,
    handler: before.takeover ? 'OPERATOR' : 'AI',
  };
  let { version } = before;
  let last = '';
  for (const { version: own, type, at, from, to } of events) {
    version += 1;
    if (own !== version) faults.push(`version ${own} where ${version} was due`);
    if (at < last) faults.push(`the time went back from ${last} to ${at}`);
    if (from === to) faults.push(`version ${own} goes from ${String(from)} to itself`);
    if (from !== standing[type]) {
      faults.push(`broken link: from ${String(from)} after ${String(standing[type])}`);
    }
    standing[type] = to;
    last = at;
  }
  return faults;
}

function violationsOfEnd({ before, after, events }: StormReport): string[] {
  const faults: string[] = [];
  const last = (type: string): KeptEvent | undefined => events.findLast((event) => event.type === type);
  const move = last('status');
  const stage = move ? move.to : before.status_id;
  const switched = last('ai')?.to ?? before.ai_enabled;
  const version = before.version + events.length;
  if (after.status_id !== stage) faults.push('the lead does not stand where its history ends');
  if (move && after.status_set_at !== (stage === null ? null : move.at)) {
    faults.push('the lead and its last entry differ in their time');
  }
  if (move && after.status_cleared_at !== (stage === null ? move.at : null)) {
    faults.push('the lead and its last entry differ in when its stage was cleared');
  }
  if (after.ai_enabled !== switched) faults.push('the switch is not where its history ends');
  if (after.version !== version) faults.push(`the lead has version ${after.version} instead of ${version}`);
  return faults;
}
