/** Where people open invitations. */
export abstract class InvitationLinks {
  /** The page's address. The token is behind the `#`, so that no server on the way logs it. */
  abstract linkOf(token: string): string;
}
