import { join } from 'node:path';
import { startServer, type ServerProcess } from '../support/programs/server.process';

const DEADLINE_MS = 20_000;

export interface ProviderCounts {
  requests: number;
  /** Requests with the reference of an earlier one. */
  doubles: number;
  inFlightMax: number;
  /** Now. */
  inFlight: number;
  /** When the last request ended, answered or given up, in milliseconds since 1970. */
  endedAt: number;
}

/** A provider in a separate process, so that it takes no time from what is measured. */
export class ProviderStub {
  private constructor(private readonly server: ServerProcess) {}

  /** @param latencyMs from a whole request to its answer; negative: no request is ever answered. */
  static async start(latencyMs: number): Promise<ProviderStub> {
    const environment = { PROVIDER_LATENCY_MS: String(latencyMs) };
    return new ProviderStub(await startServer('', environment, join(__dirname, 'provider.process.js')));
  }

  get url(): string {
    return this.server.url;
  }

  /** What it counted since this was last asked. */
  async counts(): Promise<ProviderCounts> {
    return (await (
      await fetch(this.server.url, { signal: AbortSignal.timeout(DEADLINE_MS) })
    ).json()) as ProviderCounts;
  }

  async stop(): Promise<void> {
    await this.server.stop();
  }
}
