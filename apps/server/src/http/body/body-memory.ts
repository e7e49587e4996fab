/** A body up to this size counts as small. */
const SMALL_BYTES = 64 * 1024;

/** The memory that one body takes. */
export interface BodyMemory {
  /** Whether that many more bytes may be kept. */
  grow(bytes: number): boolean;
  /** Releases all of it. */
  free(): void;
}

/**
 * Limits how much of the bodies of callers who are not recognised yet a process keeps in memory at once: a webhook's
 * signature and a sign-in's password are known only when the body has been read. Large bodies may take a part only, so
 * that they do not keep small ones out.
 */
export class BodyMemoryPool {
  private held = 0;
  private heldByLarge = 0;

  constructor(
    private readonly bytes: number,
    private readonly bytesOfLarge: number,
  ) {}

  open(): BodyMemory {
    let size = 0;
    const ofLarge = (): number => (size > SMALL_BYTES ? size : 0);
    return {
      grow: (bytes) => {
        const before = ofLarge();
        const after = size + bytes > SMALL_BYTES ? size + bytes : 0;
        const overflows =
          this.held + bytes > this.bytes ||
          (after > 0 && this.heldByLarge - before + after > this.bytesOfLarge);
        if (overflows) return false;
        size += bytes;
        this.held += bytes;
        this.heldByLarge += after - before;
        return true;
      },
      free: () => {
        this.held -= size;
        this.heldByLarge -= ofLarge();
        size = 0;
      },
    };
  }
}
