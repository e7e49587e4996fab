import type { Fault, Told } from './fault.table';

const PREFIX = 'fault ';
/** It looks at single modules, and a bundle has none. */
const OF_FILES: Fault = 'loaded-modules';

/** Settings of a server by which it has a fault. Those of a scene and of one server add up. */
export const injected = <Name extends Fault>(name: Name, ...told: Told<Name>): Record<string, string> => ({
  [PREFIX + name]: JSON.stringify(told),
});

/** The variables of a process, with its faults as the one that `faulty.server.ts` reads. */
export function withFaults(environment: Record<string, string>): {
  variables: Record<string, string>;
  isFaulty: boolean;
  needsFiles: boolean;
} {
  const isFault = ([name]: [string, string]): boolean => name.startsWith(PREFIX);
  const all = Object.entries(environment);
  const faults = Object.fromEntries(
    all
      .filter(isFault)
      .map(([name, told]): [string, unknown] => [name.slice(PREFIX.length), JSON.parse(told)]),
  );
  const isFaulty = Object.keys(faults).length > 0;
  return {
    variables: {
      ...Object.fromEntries(all.filter((each) => !isFault(each))),
      ...(isFaulty && { FAULTS: JSON.stringify(faults) }),
    },
    isFaulty,
    needsFiles: OF_FILES in faults,
  };
}
