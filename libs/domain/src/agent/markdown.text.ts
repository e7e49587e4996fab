/**
 * A model's text as a messenger shows it: some models write Markdown whatever they are told, and WhatsApp has marks of
 * its own (`*bold*`, `~struck~`; its help centre, "How to format your messages") and no headings and named links. What
 * is no such pair of marks stays as it is.
 */
export const withoutMarkdown = (text: string): string =>
  text
    .replace(/\[([^[\]\n]{1,500})\]\((https?:\/\/[^\s()]{1,2000})\)/g, (_, name: string, url: string) =>
      name === url ? url : `${name}: ${url}`,
    )
    .replace(
      /^[ \t]{0,3}#{1,6}[ \t]+(\S.*)$/gm,
      (_, words: string) => `*${words.replace(/\*+|#+$/g, '').trim()}*`,
    )
    .replace(/\*\*\*?(?=[^\s*])([^*\n]*[^\s*])\*?\*\*/g, '*$1*')
    .replace(/~~(?=[^\s~])([^~\n]*[^\s~])~~/g, '~$1~');
