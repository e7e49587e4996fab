import { PERMITS_USED } from '@app/persistence/scenarios/runs/run-queue.repository';
import { nameOf, overrideQueries } from './fault.injection';

const LATE_MS = 200;

/** It is reported late that a run's permit is used. */
export const inject = (): void =>
  overrideQueries((_, { given, make }) => {
    if (nameOf(given) !== PERMITS_USED.name) return make();
    setTimeout(() => void make(), LATE_MS);
  });
