/** Most messages of the dialog that a model gets. */
export const SPOKEN_MAX = 40;
/** Calls of tools in one reply. */
export const TOOL_CALLS_MAX = 5;

/** The agent's settings that depend on the installation. */
export class AgentLimits {
  /**
   * @param answers whether a model is configured
   * @param quietMs how long a customer must be quiet before an agent without a setting for it answers
   * @param repliesPerAccount how many replies of one account may be under way at once, on all processes together.
   * Each waits up to a minute for its model. The limit keeps an account whose model hangs from filling the service,
   * and is high enough that its other dialogs are still answered.
   * @param transcribes whether what customers say in voice notes is written down
   * @param waitMs how long a reply waits for that, and for files of its customer that are still to come
   */
  constructor(
    readonly answers: boolean,
    readonly quietMs: number,
    readonly repliesPerAccount: number,
    readonly transcribes: boolean,
    readonly waitMs: number,
  ) {}
}
