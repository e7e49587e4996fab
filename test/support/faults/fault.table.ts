import { inject as blindWatch } from './blind-watch.fault';
import { inject as fileBoundary } from './file-boundary.fault';
import { inject as heldCall } from './held-call.fault';
import { inject as heldClaims } from './held-claims.fault';
import { inject as importBoundary } from './import-boundary.fault';
import { inject as lateReport } from './late-report.fault';
import { inject as loadedModules } from './loaded-modules.fault';
import { inject as onThisMachine } from './on-this-machine.fault';
import { inject as secondHost } from './second-host.fault';
import { inject as sendPermit } from './send-permit.fault';
import { inject as sendStop } from './send-stop.fault';
import { inject as stepBoundary } from './step-boundary.fault';
import { inject as wrongClock } from './wrong-clock.fault';

/** The faults that a server of tests can have, by their names. Some also change its settings. */
export const FAULTS = {
  'blind-watch': blindWatch,
  'file-boundary': fileBoundary,
  'held-call': heldCall,
  'held-claims': heldClaims,
  'import-boundary': importBoundary,
  'late-report': lateReport,
  'loaded-modules': loadedModules,
  'on-this-machine': onThisMachine,
  'second-host': secondHost,
  'send-permit': sendPermit,
  'send-stop': sendStop,
  'step-boundary': stepBoundary,
  'wrong-clock': wrongClock,
};

export type Fault = keyof typeof FAULTS;

/** What a fault has to be told, if anything. */
export type Told<Name extends Fault> = Parameters<(typeof FAULTS)[Name]>;
