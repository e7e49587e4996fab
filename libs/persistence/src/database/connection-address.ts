/**
 * How `pg` is to connect. Parameters in the address would override other settings, so those that we set are removed
 * from it. Others stay, such as the endpoint or search_path that a host's `options` name; our settings follow them.
 * @param settings of the session, such as `synchronous_commit=off`
 */
export function connectionTo<Ours extends object>(
  address: string,
  ours: Ours,
  settings: readonly string[] = [],
): Ours & { connectionString: string; options?: string } {
  const [base = '', query = ''] = address.split(/\?(.*)/s);
  const parameters = new URLSearchParams(query);
  const theirs = parameters.getAll('options');
  for (const name of ['options', ...Object.keys(ours)]) parameters.delete(name);
  const options = [...theirs, ...settings.map((setting) => `-c ${setting}`)].join(' ');
  // `pg` would encode again what contains blanks.
  const rest = parameters.toString().replaceAll('+', '%20');
  return { ...ours, connectionString: rest ? `${base}?${rest}` : base, ...(options && { options }) };
}
