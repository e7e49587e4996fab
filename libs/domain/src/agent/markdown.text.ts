/**
 * A model's text as a messenger shows it. Some models write Markdown whatever their instructions say. WhatsApp has
 * its own marks (`*bold*`, `~struck~`; its help centre, "How to format your messages") and no headings or named
 * links. Marks without a partner stay as they are.
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
