/** What of the agent depends on how the service is run. */
export class AgentLimits {
  /**
   * @param answers whether there is a model to answer
   * @param quietMs how long a customer has to be quiet before an agent without a time of its own answers
   * @param repliesPerAccount how many replies of one account are under way at once, on all processes together: each waits
   * up to a minute for its model, so that an account whose model hangs must neither answer nobody else nor fill the service
   */
  constructor(
    readonly answers: boolean,
    readonly quietMs: number,
    readonly repliesPerAccount: number,
  ) {}
}
