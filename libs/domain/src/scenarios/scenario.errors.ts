import { CodedError } from '@app/contracts/coded.error';

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

/** What is asked for does not fit the state of the run, its step or its scenario. */
export class RunStateError extends CodedError {
  readonly code = 'RUN_STATE';
}
