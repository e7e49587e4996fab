import { openScene, type Scene } from './base.scene';

// Former names of the base scene, for tests that are under way elsewhere.
export type AdminScene = Scene;
export const AdminScene = {
  open: (environment?: Record<string, string>, program?: string): Promise<Scene> =>
    openScene({ environment, program }),
};
