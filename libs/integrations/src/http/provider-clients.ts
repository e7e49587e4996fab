import type { MessengerSettings } from '@app/config/settings-config';
import type { OnApplicationShutdown } from '@nestjs/common';
import { ProviderClient } from './provider-client';

/** The connections to both providers, for the life of the process. */
export class ProviderClients implements OnApplicationShutdown {
  readonly cloud: ProviderClient;
  readonly gupshup: ProviderClient;

  constructor({ cloud, gupshup, timeoutMs }: MessengerSettings) {
    this.cloud = new ProviderClient(cloud.apiUrl, timeoutMs, undefined, 'cloud');
    this.gupshup = new ProviderClient(gupshup.apiUrl, timeoutMs, undefined, 'gupshup');
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.cloud.close(), this.gupshup.close()]);
  }
}
