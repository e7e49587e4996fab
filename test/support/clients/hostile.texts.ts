/** What customers, models and providers may write, of each kind one. None of them is blank, or has what PostgreSQL cannot keep. */
const KINDS: readonly string[] = [
  '<img src=x onerror="window.hacked=1">',
  '"><script>window.hacked=1</script>',
  "'><svg onload=window.hacked=1>",
  '<iframe srcdoc="<script>parent.hacked=1</script>"></iframe>',
  '<a href="javascript:window.hacked=1">x</a>',
  'javascript:window.hacked=1',
  'data:text/html,<script>window.hacked=1</script>',
  '{{constructor.constructor("window.hacked=1")()}}',
  '${window.hacked=1}',
  '{{name}} {{count}} $t(common:close) $t(board:noStage)',
  '%s %d %n \\u0000 \\x00 &#0; &lt;b&gt;',
  '__proto__',
  'constructor',
  'null',
  "Robert'); DROP TABLE threads;--",
  '=HYPERLINK("http://evil.example","x")',
  '\u202Eevil.gpj\u202C',
  '\u2066isolated\u2069 \u2067مرحبا\u2069',
  'مرحبا بالعالم 12 (ok)',
  'שלום עולם 3.5%',
  'नमस्ते दुनिया',
  'สวัสดีชาวโลก',
  '你好，世界',
  'Қазақстан ұлы дала',
  '👩‍👩‍👧‍👦🏳️‍🌈👨🏿‍🚀🇰🇿',
  'e\u0301\u0327\u0316\u0347'.repeat(20),
  'Z\u0351\u036B\u0343\u036A\u0302'.repeat(30),
  '\u200Bhidden\u200B\u200D\uFEFF',
  'a'.repeat(200),
  'ﷺ'.repeat(20),
  'W'.repeat(60) + ' ' + 'i'.repeat(120),
  '*bold* _italic_ ~struck~ ```code```',
  'https://example.com/?q=<script>window.hacked=1</script>',
  'http://user:pass@evil.example@good.example/',
  'mailto:x@example.com tel:+77010000000',
  'line\nline\tTab',
  '\u2028separator\u2029',
  '½ ¼ Ⅷ ﬁ ㌀',
  'CON PRN ../../etc/passwd',
  '</title><script>window.hacked=1</script>',
];

/** @returns so many texts, all different */
export const hostileTexts = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${KINDS[index % KINDS.length]} ${index}`);

/** What a place shows in which the words of {@link wordsOf} stand as text. Different in each place. */
export const markupOf = (place: string): string => `${place} <img src=x onerror="window.hacked=1">`;

/**
 * Words of a place that try to be markup, to end what keeps them apart and turn what stands around, to be filled in, and
 * to be wider than a phone.
 */
export const wordsOf = (place: string): string =>
  `${markupOf(place)} \u2069\u202E$t(common:close) {{count}} ${'W'.repeat(28)}`;
