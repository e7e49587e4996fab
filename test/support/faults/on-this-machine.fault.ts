import type { Settings } from '@app/config/settings-config';

/** No fault: tenants' tools and endpoints may be on this machine, as in the demo. */
export const inject = (): Partial<Settings> => ({ toolsReachThisMachine: true });
