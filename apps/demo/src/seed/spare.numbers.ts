import type { SandboxNumber } from '../../../sandbox/src/sandbox.options';

const NAME = 'Harbour Coffee, second shop';

/**
 * Numbers of the sandbox without a bot, so that readers can connect one (docs/running/connecting-numbers.md). Their
 * credentials are no secrets: they open the sandbox of a demo and nothing else.
 */
export const SPARE_NUMBERS: SandboxNumber[] = [
  {
    channel: 'waba_coexistence',
    sender: '106540352242999',
    displayPhone: '+77015550198',
    businessId: '102290129340398',
    token: 'EAAG-the-token-of-the-system-user',
    name: NAME,
  },
  {
    channel: 'waba',
    sender: '77015550199',
    displayPhone: '+77015550199',
    appId: 'a1a1a1a1-0000-4000-8000-000000000009',
    appName: 'HarbourSecondShop',
    token: 'sk_the-api-key-of-gupshup',
    name: NAME,
  },
  {
    channel: 'waba',
    sender: '77015550177',
    displayPhone: '+77015550177',
    appId: 'a1a1a1a1-0000-4000-8000-000000000001',
    appName: 'HarbourService',
    token: 'sk_0123456789abcdef0123456789abcdef',
    name: 'Harbour Coffee, service',
  },
];
