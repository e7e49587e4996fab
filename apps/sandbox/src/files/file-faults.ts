/** What a provider does wrong when it serves a file, each with what it is in a sentence. */
export const FILE_ACTS = {
  drip: 'The file comes by one byte in 200 ms.',
  stall: 'Half of the file comes, then nothing more.',
  cut: 'The announced length is right, and the connection ends after half of the file.',
  overstated: 'The announced length is ten times the file.',
  understated: "The provider's record of the file announces a tenth of its length.",
  endless: 'Bytes come without an end and without an announced length.',
  redirect: 'A redirect to another path.',
  hang: 'No answer.',
  reset: 'The connection is reset.',
  missing: '404.',
  'server-error': '503.',
  'html-type': 'The file comes as text/html.',
  'wrong-hash': 'The webhook names the hash of another file.',
} as const;

export type FileAct = keyof typeof FILE_ACTS;

export const isFileAct = (value: unknown): value is FileAct =>
  typeof value === 'string' && Object.hasOwn(FILE_ACTS, value);
