/** How many of each there may be: settings of the installation. */
export abstract class AccountCaps {
  /** Of an account, without those that are revoked. */
  abstract readonly keys: number;
  /** Of an account. */
  abstract readonly people: number;
  /** Of an account. */
  abstract readonly assistants: number;
  /** Of an agent, without those that are archived. */
  abstract readonly stages: number;
  /** Of an account. */
  abstract readonly bots: number;
  /** Of a number. */
  abstract readonly templates: number;
}

const MANY = Number.MAX_SAFE_INTEGER;

/** For whoever may run commands on the host. */
export const NO_CAPS: AccountCaps = {
  ...{ keys: MANY, people: MANY, assistants: MANY, stages: MANY, bots: MANY, templates: MANY },
};
