/** The secrets by which providers prove themselves. */
export abstract class WebhookSecrets {
  /** The secrets of the installation's apps at Meta, with one of which Meta signs what no number's own app signs. */
  abstract readonly appSecrets: readonly string[];
  /** The token that Meta must send when it verifies the address. */
  abstract readonly verifyToken: string;
  /** Part of the addresses that Gupshup gets. */
  abstract readonly gupshupToken: string;
}
