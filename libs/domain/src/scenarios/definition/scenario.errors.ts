import { CodedError } from '@app/contracts/coded.errors';

export class ScenarioNotFoundError extends CodedError {
  readonly code = 'SCENARIO_NOT_FOUND';

  constructor() {
    super('There is no such scenario. Take its id from the list of scenarios.');
  }
}

export class RunNotFoundError extends CodedError {
  readonly code = 'RUN_NOT_FOUND';

  constructor() {
    super('There is no such run. Take its id from the list of runs.');
  }
}

/** Dialogs that a call names are not of the scenario's agent, or of nobody. */
export class DialogOfScenarioNotFoundError extends CodedError {
  readonly code = 'THREAD_NOT_FOUND';

  /** @param paths where the call names them, such as `thread_ids[2]` */
  constructor(paths: readonly string[]) {
    const where = paths.join(', ');
    super(
      `${where}: there is no such dialog of the scenario’s agent. Take ids such as thread_<uuid> from get-threads.`,
    );
  }
}

/** What is asked for does not fit the state of the run, its step or its scenario. */
export class RunStateError extends CodedError {
  readonly code = 'RUN_STATE';
}
