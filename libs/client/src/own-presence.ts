/** It lives thirty seconds at the service. */
const AGAIN_AFTER_MS = 20_000;

/** In which dialog the person is: said again as long as they look at it. */
export class OwnPresence {
  private place: { thread_id: string; typing: boolean } | null = null;
  private timer: ReturnType<typeof setInterval> | null = null;

  constructor(private readonly say: (place: { thread_id: string | null; typing: boolean }) => void) {}

  look(threadId: string | null, typing: boolean): void {
    if (this.place?.thread_id === threadId && this.place?.typing === typing) return;
    if (!this.place && threadId === null) return;
    this.place = threadId === null ? null : { thread_id: threadId, typing };
    if (this.timer) clearInterval(this.timer);
    this.timer = this.place ? setInterval(() => this.sayAgain(), AGAIN_AFTER_MS) : null;
    this.say(this.place ?? { thread_id: null, typing: false });
  }

  /** The connection is new. */
  sayAgain(): void {
    if (this.place) this.say(this.place);
  }

  stop(): void {
    if (this.timer) clearInterval(this.timer);
    this.timer = null;
  }
}
