import type { SendPermission } from '../messages/message-sender.port';

/** Half of what the database gives it, so that nothing is begun that others count as void. */
const VALID_MS = 500;

/** The permission to hand one part of a reply to the messenger, by a clock that never goes back. */
export class HandOffPermission implements SendPermission {
  /** @param askedAt by `performance.now()`, from before the gate was asked */
  constructor(
    private readonly askedAt: number,
    private readonly onUse: () => void,
  ) {}

  isValid(): boolean {
    return performance.now() - this.askedAt < VALID_MS;
  }

  used(): void {
    this.onUse();
  }
}
