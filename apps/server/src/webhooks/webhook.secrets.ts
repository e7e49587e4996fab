/** What the providers prove themselves by. */
export abstract class WebhookSecrets {
  /** Of the app at Meta, which signs by it. */
  abstract readonly appSecret: string;
  /** The token that Meta must bring when it verifies the address. */
  abstract readonly verifyToken: string;
  /** In the addresses that Gupshup is given. */
  abstract readonly gupshupToken: string;
}
