/** The secrets by which providers prove themselves. */
export abstract class WebhookSecrets {
  /** The secret of the app at Meta, with which Meta signs. */
  abstract readonly appSecret: string;
  /** The token that Meta must send when it verifies the address. */
  abstract readonly verifyToken: string;
  /** Part of the addresses that Gupshup gets. */
  abstract readonly gupshupToken: string;
}
