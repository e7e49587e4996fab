import 'reflect-metadata';
import { loadSettings, processVariables, type Settings } from '@app/config/settings-config';
import { runServer } from '../../../apps/server/src/server-process';
import { FAULTS, type Fault } from './fault.table';

/**
 * The server with faults injected. It is compiled beside the product for a run of tests, and is in the bundle. Most of the
 * product is loaded when it runs (.swcrc), after the faults.
 */
const faults = JSON.parse(process.env.FAULTS ?? '{}') as Record<Fault, [never]>;
const changes = Object.entries(faults).map(([name, told]): Partial<Settings> | void =>
  FAULTS[name as Fault](...told),
);
void runServer(Object.assign(loadSettings(processVariables()), ...changes) as Settings);
