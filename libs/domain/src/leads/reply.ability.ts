/** Whether agents can answer at all where the service runs as it does. */
export class ReplyAbility {
  /** @param hasModel whether a model is configured */
  constructor(readonly hasModel: boolean) {}
}
