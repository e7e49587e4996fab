import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where a server with the fault `held-call` holds calls until a test opens it, however slow the machine is. */
export class CallGate {
  private readonly path = join(tmpdir(), `gate-${randomUUID()}`);

  /** What an address says in its query to have its connections held here. */
  get query(): string {
    return `connect_until=${encodeURIComponent(this.path)}`;
  }

  open(): void {
    writeFileSync(this.path, '');
  }
}
