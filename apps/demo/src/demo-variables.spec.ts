import type { DemoSecrets } from './data-folder';
import { demoVariables, modelVariables, readStart } from './demo-variables';

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
      AI_TRANSCRIPTION_MODEL: 'scripted',
    });
  });

  it('give way to what is given to the demo, unless that is empty', () => {
    const given = { AI_BASE_URL: 'http://127.0.0.1:11434/v1', AI_MODEL: 'llama', SESSION_SECRET: 'given' };
    expect(set(given)).toMatchObject({ ...given, AI_REPLY_DELAY_MS: '2000' });
    expect(set(given)).not.toHaveProperty('AI_TRANSCRIPTION_MODEL');
    expect(set({ AI_MODEL: '', HOST: undefined })).toMatchObject({ AI_MODEL: 'scripted', HOST: '127.0.0.1' });
  });

  it('tell a further process which model to ask, with the key if there is one', () => {
    const own = {
      ...{ AI_BASE_URL: SANDBOX.modelUrl, AI_MODEL: 'scripted', AI_REPLY_DELAY_MS: '2000' },
      AI_TRANSCRIPTION_MODEL: 'scripted',
    };
    expect(modelVariables(set({}))).toEqual(own);
    expect(modelVariables(set({ AI_API_KEY: 'k' }))).toEqual({ ...own, AI_API_KEY: 'k' });
  });
});

describe("whether the demo's customers write by themselves", () => {
  it.each([
    ['they do', {}, true],
    ['DEMO_LIFE=0 stops them', { DEMO_LIFE: '0' }, false],
    ['an empty DEMO_LIFE is none', { DEMO_LIFE: '' }, true],
    [
      'a model of your own is not asked without your knowledge',
      { AI_BASE_URL: 'https://a.example/v1' },
      false,
    ],
    ['unless you say so', { AI_BASE_URL: 'https://a.example/v1', DEMO_LIFE: '1' }, true],
  ])('%s', (_, variables, life) => {
    expect(readStart(variables).life).toBe(life);
  });

  it.each(['yes', 'true', '2', 'off'])('DEMO_LIFE=%s is refused, beside all that is wrong', (DEMO_LIFE) => {
    expect(() => readStart({ DEMO_LIFE })).toThrow(/^DEMO_LIFE must be 0 or 1$/);
    expect(() => readStart({ DEMO_LIFE, PORT: 'abc' })).toThrow(
      /^PORT must be .*\nDEMO_LIFE must be 0 or 1$/,
    );
  });
});
