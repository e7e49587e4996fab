/** What of the agent depends on how the service is run. */
export class AgentLimits {
  /**
   * @param answers whether there is a model to answer
   * @param quietMs how long a customer has to be quiet before an agent without a time of its own answers
   */
  constructor(
    readonly answers: boolean,
    readonly quietMs: number,
  ) {}
}
