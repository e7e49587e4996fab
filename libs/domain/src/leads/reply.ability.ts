/** Whether agents can answer at all in this installation. */
export class ReplyAbility {
  /** @param hasModel whether a model is configured */
  constructor(readonly hasModel: boolean) {}
}
