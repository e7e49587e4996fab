/** What the address of `/import` says. */
export interface ImportsSearch {
  /** The import that is shown. */
  id?: string;
  /** The agent whose leads are to be imported. */
  agent?: string;
}

/** Reads an address. What it does not know is left out. */
export const importsSearch = ({ id, agent }: Record<string, unknown>): ImportsSearch => ({
  ...(typeof id === 'string' && id !== '' ? { id } : {}),
  ...(typeof agent === 'string' && agent !== '' ? { agent } : {}),
});
