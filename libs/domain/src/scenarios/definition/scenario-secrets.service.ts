import { OVERLAP_HOURS } from '@app/contracts/webhook.words';
import type { AuditEntryOf } from '@app/persistence/audit/audit.repository';
import {
  ScenarioSecretRepository,
  type ScenarioKey,
  type SealedSecret,
  type StoredSecret,
} from '@app/persistence/scenarios/definition/scenario-secret.repository';
import { Injectable } from '@nestjs/common';
import { SecretCipher, newSigningSecret } from '../../accounts/secret-cipher.port';

const HOUR_MS = 3_600_000;

/** The secrets of one scenario, as they are sealed. */
interface Secrets {
  current: string;
  /** The one before, which signs too until an instant. */
  former?: { secret: string; until: string };
}

/** The owner of the secrets: they cannot be opened for another scenario. */
const boundTo = ({ accountId, scenarioId }: ScenarioKey): string =>
  `${accountId}/scenario/${scenarioId}/secret`;

/** The secrets by which receivers of a scenario's calls know that they are ours. */
@Injectable()
export class ScenarioSecrets {
  constructor(
    private readonly secrets: ScenarioSecretRepository,
    private readonly cipher: SecretCipher,
  ) {}

  /** The first secret of a new scenario: what is shown this once, and what is stored. */
  first(key: ScenarioKey): { shown: string; stored: SealedSecret } {
    const current = newSigningSecret();
    return { shown: current, stored: this.sealed(key, { current }) };
  }

  /** A scenario's secrets as they are sealed. One of a version without secrets gets its first. */
  async find(key: ScenarioKey): Promise<StoredSecret> {
    for (;;) {
      const stored = await this.secrets.find(key);
      if (stored) return stored;
      await this.secrets.add(key, this.first(key).stored);
    }
  }

  /**
   * The secrets by which a call is signed, the current one first. Whether the former one still counts is decided by the
   * database's clock, at the instant at which they were read.
   * @throws Error when they were sealed with another key.
   */
  opened(key: ScenarioKey, stored: StoredSecret): string[] {
    const { current, former } = this.secretsOf(key, stored);
    return former && Date.parse(former.until) > +stored.askedAt ? [current, former.secret] : [current];
  }

  /**
   * Makes a new secret. The former one signs too for the given hours, so that a receiver can change at its leisure.
   * One that does not open any more is replaced.
   * @returns the new secret, which is shown this once
   */
  async rotate(key: ScenarioKey, overlapHours = OVERLAP_HOURS, entryOf: AuditEntryOf<null>): Promise<string> {
    const current = newSigningSecret();
    for (;;) {
      const stored = await this.secrets.find(key);
      const former = stored ? this.formerOf(key, stored, overlapHours) : undefined;
      const sealed = this.sealed(key, { current, ...(former && { former }) });
      const isKept = stored
        ? await this.secrets.replace(key, sealed, stored.sealed, entryOf)
        : await this.secrets.addAudited(key, sealed, entryOf);
      if (isKept) return current;
    }
  }

  private formerOf(key: ScenarioKey, stored: StoredSecret, overlapHours: number): Secrets['former'] {
    try {
      const until = new Date(+stored.askedAt + overlapHours * HOUR_MS).toISOString();
      return { secret: this.secretsOf(key, stored).current, until };
    } catch {
      return undefined;
    }
  }

  private sealed(key: ScenarioKey, secrets: Secrets): SealedSecret {
    return this.cipher.seal(JSON.stringify(secrets), boundTo(key));
  }

  private secretsOf(key: ScenarioKey, { keyId, sealed }: SealedSecret): Secrets {
    return JSON.parse(this.cipher.open(keyId, sealed, boundTo(key))) as Secrets;
  }
}
