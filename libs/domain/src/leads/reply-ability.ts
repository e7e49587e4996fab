/** Whether agents can answer at all in this installation. */
export class ReplyAbility {
  /**
   * @param hasModel whether a model is configured
   * @param cipherKeyId the key that opens the credentials of numbers
   */
  constructor(
    readonly hasModel: boolean,
    readonly cipherKeyId: string,
  ) {}
}
