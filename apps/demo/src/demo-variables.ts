import { parseEnvironment, SettingsError } from '@app/config/settings-config';
import type { Environment } from '@app/config/environment-schema';
import type { DemoSecrets } from './data-folder';

type Variables = Record<string, string | undefined>;

const LOOPBACK = '127.0.0.1';
/** Short, because a person waits for the answer. */
const QUIET_MS = '2000';
const MODEL_SETTINGS = [
  ...(['AI_BASE_URL', 'AI_API_KEY', 'AI_MODEL', 'AI_REPLY_DELAY_MS'] as const),
  ...(['AI_TRANSCRIPTION_MODEL', 'AI_TRANSCRIPTION_URL', 'AI_TRANSCRIPTION_KEY'] as const),
] as const;

/** The settings of the demo's server. A setting in the environment replaces the demo's default. */
export function demoVariables(
  secrets: DemoSecrets,
  sandbox: { url: string; modelUrl: string },
  variables: Variables,
): Variables {
  return {
    ...secrets,
    HOST: LOOPBACK,
    LOG_LEVEL: 'warn',
    CLOUD_API_URL: sandbox.url,
    GUPSHUP_API_URL: sandbox.url,
    AI_BASE_URL: sandbox.modelUrl,
    AI_MODEL: 'scripted',
    AI_REPLY_DELAY_MS: QUIET_MS,
    // A model of one's own may not be one that listens.
    ...(!variables.AI_BASE_URL && { AI_TRANSCRIPTION_MODEL: 'scripted' }),
    ...Object.fromEntries(
      Object.entries(variables).filter(([, value]) => value !== undefined && value !== ''),
    ),
  };
}

const LIFE = 'DEMO_LIFE must be 0 or 1';

/** What the demo has to know before it starts anything. */
export interface DemoStart {
  environment: Environment;
  /** Whether its customers write by themselves. */
  life: boolean;
}

/**
 * Without DEMO_LIFE the demo is alive, unless a model of one's own answers: that may cost money by the word.
 * @throws SettingsError naming every error
 */
export function readStart(variables: Variables): DemoStart {
  const { DEMO_LIFE: life, AI_BASE_URL: model } = variables;
  const violations = life && !['0', '1'].includes(life) ? [LIFE] : [];
  try {
    const environment = parseEnvironment(variables, true);
    if (violations.length === 0) return { environment, life: life ? life === '1' : !model };
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    violations.unshift(...error.violations);
  }
  throw new SettingsError(violations);
}

/** The model that a further process has to use. */
export function modelVariables(variables: Variables): Record<string, string> {
  const set = MODEL_SETTINGS.map((name) => [name, variables[name]] as const);
  return Object.fromEntries(set.filter((pair): pair is [(typeof pair)[0], string] => pair[1] !== undefined));
}
