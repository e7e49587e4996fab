import type { DemoSecrets } from './demo.secrets';
import { demoVariables, modelVariables } from './demo.variables';

const SANDBOX = { url: 'http://127.0.0.1:3100', modelUrl: 'http://127.0.0.1:3100/v1' };
const set = (variables: Record<string, string | undefined>) =>
  demoVariables({ SESSION_SECRET: 'made' } as DemoSecrets, SANDBOX, variables);

describe("the demo's settings", () => {
  it('lead to the stand-ins of the sandbox, the scripted model among them', () => {
    expect(set({})).toMatchObject({
      CLOUD_API_URL: SANDBOX.url,
      GUPSHUP_API_URL: SANDBOX.url,
      AI_BASE_URL: SANDBOX.modelUrl,
      AI_MODEL: 'scripted',
      AI_REPLY_DELAY_MS: '2000',
    });
  });

  it('give way to what is given to the demo, unless that is empty', () => {
    const given = { AI_BASE_URL: 'http://127.0.0.1:11434/v1', AI_MODEL: 'llama', SESSION_SECRET: 'given' };
    expect(set(given)).toMatchObject({ ...given, AI_REPLY_DELAY_MS: '2000' });
    expect(set({ AI_MODEL: '', HOST: undefined })).toMatchObject({ AI_MODEL: 'scripted', HOST: '127.0.0.1' });
  });

  it('tell a further process which model to ask, with the key if there is one', () => {
    const own = { AI_BASE_URL: SANDBOX.modelUrl, AI_MODEL: 'scripted', AI_REPLY_DELAY_MS: '2000' };
    expect(modelVariables(set({}))).toEqual(own);
    expect(modelVariables(set({ AI_API_KEY: 'k' }))).toEqual({ ...own, AI_API_KEY: 'k' });
  });
});
