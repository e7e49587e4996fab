import { openScene, type Scene } from './base.scene';

// Former names of the base scene, for tests that are under way elsewhere.
export { refusalOf } from '../clients/refusal.expectation';
export { setScene as setLeadScene, type SceneOptions } from './base.scene';
export type LeadScene = Scene;
export const LeadScene = { open: openScene };
