interface Startable {
  start(): Promise<void>;
  close(): Promise<void>;
  /** After each test. */
  endTest?(): Promise<void>;
}

/** How a scene is opened: by the hooks of a test file or of one of its parts, or amid a test, which closes it itself. */
export const sceneOf = <Given extends unknown[], Scene extends Startable>(
  make: (...given: Given) => Scene,
) => ({
  set: (...given: Given): Scene => {
    const scene = make(...given);
    beforeAll(() => scene.start());
    afterEach(() => scene.endTest?.());
    afterAll(() => scene.close());
    return scene;
  },
  open: async (...given: Given): Promise<Scene> => {
    const scene = make(...given);
    await scene.start();
    return scene;
  },
});
